import SwiftSyntax

extension SourcePorter {
    /// What shows that a source which imports SwiftUI means Combine, other names being common words.
    private static let combine: Set<String> = [
        "ObservableObject", "Published", "AnyCancellable", "Cancellable", "AnyPublisher", "PassthroughSubject",
        "CurrentValueSubject",
    ]

    /// The module that an import stands for: Combine, where a source imports SwiftUI and uses what that has of Combine alone.
    func moduleMeant(by node: ImportDeclSyntax) -> String {
        guard node.module == "SwiftUI", surroundings.isMissing("SwiftUI"),
            !AppleFramework.isUsed("SwiftUI", by: names), !names.isDisjoint(with: Self.combine),
            !imports.contains(where: { $0.module == "Combine" })
        else { return node.module }
        return "Combine"
    }

    /// The access that Foundation is imported with, and a blank, for what comes beside it: a target whose imports are internal
    /// by default can't declare with a plain one what others see.
    var accessOfImports: String {
        let foundation = imports.first { $0.module == "Foundation" } ?? imports.first
        let access = foundation?.modifiers.first { ["public", "package"].contains($0.name.text) }
        return access.map { "\($0.name.text) " } ?? ""
    }

    /// Imports the parts of Foundation that the source uses and that are modules of their own on Linux.
    func addPartsOfFoundation() {
        guard let first = imports.first(where: { $0.parent?.parent?.parent?.is(SourceFileSyntax.self) == true }) else {
            return
        }
        for part in FoundationPart.allCases
        where !imports.contains(where: { $0.module == part.module }) && names.contains(where: part.contains) {
            let line = "\(accessOfImports)import \(part.module)"
            let text =
                switch style {
                case .overlay: "\(line); "
                case .portable where part.isOnApplePlatforms: "\(line)\n"
                case .portable: "#if canImport(\(part.module))\n\(line)\n#endif\n"
                }
            edits.append(SourceEdit(insert: text, at: first.trimmedStart))
        }
    }
}
