import ModelCompiler
import SwiftSyntax

extension SourcePorter {
    /// What shows that a source which imports SwiftUI means Combine, other names being common words.
    private static let combine: Set<String> = [
        "ObservableObject", "Published", "AnyCancellable", "Cancellable", "AnyPublisher", "PassthroughSubject",
        "CurrentValueSubject",
    ]

    /// Writes the imports for Linux.
    ///
    /// - Parameter condition: the module that all of the source is under the condition of; nil for none.
    func portImports(isUnder condition: String? = nil) {
        let bringsFoundation = condition == nil && needsFoundation
        // First of all, as what comes first at a place stays in front of what replaces something there.
        if usesCoreData, !importsCoreData, condition == nil {
            addImport(of: "CoreData")
        } else if bringsFoundation {
            addImport(of: "Foundation")
        }
        let hasFoundation = condition == nil && (!imports.isEmpty || bringsFoundation)
        if hasFoundation { addPartsOfFoundation() }
        if condition == nil, needsLocks { modules.insert(addLocks()) }
        if hasFoundation, needsCombine { modules.insert(addCombine()) }
        for node in imports where node.module != condition {
            let meant = moduleMeant(by: node)
            if let standIn = standIn(for: meant), standIn != .combine || AppleFramework.isUsed(meant, by: names) {
                modules.insert(standIn)
                replace(node, by: standIn)
            } else if surroundings.isMissing(node.module) {
                switch style {
                case .overlay: blank(node)
                case .portable: wrap(node, in: "canImport(\(node.module))")
                }
            } else if needsAccess(node) {
                edits.append(SourceEdit(insert: accessOfImports, at: node.importKeyword.trimmedStart))
            } else if node.module == "Foundation", let kind = node.importKindSpecifier, let name = node.path.last?.name,
                CoreDataNames.contains(name.plain) || CoreDataNames.ofFoundation.contains(name.plain)
            {
                // `import class Foundation.NSPredicate`: CoreData has it on Linux, and names it on Apple's platforms as well.
                edits.append(SourceEdit(kind.trimmedStart..<node.trimmedEnd, "CoreData"))
            } else if node.module == "CoreData", node.importKindSpecifier == nil, node.path.count > 1,
                let first = node.path.first
            {
                edits.append(SourceEdit(first.name.trimmedEnd..<node.trimmedEnd, ""))
            }
        }
    }

    /// Imports what stands in for a module.
    private func replace(_ node: ImportDeclSyntax, by standIn: SubstituteModule) {
        let prefix = text(node.trimmedStart..<node.importKeyword.trimmedStart)
        let lines = standIn.replacements.map { "\(prefix)import \($0)" }
        let range = node.trimmedStart..<node.trimmedEnd
        switch style {
        case .overlay: edits.append(SourceEdit(range, lines.joined(separator: "; ")))
        case .portable:
            let written = ["#if canImport(\(node.module))", text(range), "#else"] + lines + ["#endif"]
            edits.append(SourceEdit(range, written.joined(separator: "\n")))
        }
    }

    /// The module that stands in for an imported one; nil where there is none, or it lacks what the source uses.
    private func standIn(for module: String) -> SubstituteModule? {
        guard let offered = SubstituteModule(rawValue: module), !surroundings.modules.contains(module),
            offered.lacking.isDisjoint(with: names)
        else { return nil }
        return offered
    }

    /// Whether the source can't do without a module that Linux lacks.
    func isMissed(_ module: String) -> Bool {
        if let offered = SubstituteModule(rawValue: module), !surroundings.modules.contains(module) {
            return !offered.lacking.isDisjoint(with: names)
        }
        return surroundings.isMissing(module) && AppleFramework.isUsed(module, by: names)
    }

    /// The module that an import stands for: Combine, where a source imports SwiftUI and uses what that has of Combine alone.
    func moduleMeant(by node: ImportDeclSyntax) -> String {
        guard node.module == "SwiftUI", surroundings.isMissing("SwiftUI"),
            !AppleFramework.isUsed("SwiftUI", by: names), !names.isDisjoint(with: Self.combine),
            !imports.contains(where: { $0.module == "Combine" })
        else { return node.module }
        return "Combine"
    }

    /// Whether the source uses what Foundation has of Combine on Apple's platforms, `ObservableObject` and `@Published`, and imports
    /// neither Combine nor OpenCombine.
    var needsCombine: Bool {
        guard !names.isDisjoint(with: ["ObservableObject", "@Published"]), surroundings.isMissing("Combine"),
            Set(imports.map(moduleMeant)).isDisjoint(with: ["Combine", "OpenCombine"])
        else { return false }
        return surroundings.declarations.types.union(DeclaredNames.all(in: String(decoding: bytes, as: UTF8.self)))
            .isDisjoint(with: ["ObservableObject", "Published"])
    }

    /// Imports what stands in for Combine, and returns that.
    func addCombine() -> SubstituteModule {
        addImports(of: SubstituteModule.combine.replacements, under: "!canImport(Combine)")
        return .combine
    }

    /// The access that Foundation is imported with, and a blank, for what comes beside it: a target whose imports are internal
    /// by default can't declare with a plain one what others see.
    var accessOfImports: String {
        let foundation = imports.first { $0.module == "Foundation" } ?? imports.first
        let access = foundation?.modifiers.first { ["public", "package"].contains($0.name.text) }
        return access.map { "\($0.name.text) " } ?? ""
    }

    /// Whether Foundation comes to the source by frameworks alone that Linux lacks, such as UIKit.
    ///
    /// Imports under conditions that don't hold on Linux count: `#if canImport(UIKit) … #elseif canImport(AppKit) …` brings
    /// Foundation on all of Apple's platforms.
    var needsFoundation: Bool {
        let modules = Set(imports.map(\.module))
        return !names.isEmpty && modules.isDisjoint(with: ["Foundation", "CoreData", "XCTest"])
            && modules.union(conditionalModules).contains {
                surroundings.isMissing($0) && AppleFramework.bringsFoundation($0)
            }
    }

    /// Imports the parts of Foundation that the source uses and that are modules of their own on Linux.
    func addPartsOfFoundation() {
        for part in FoundationPart.allCases
        where !imports.contains(where: { $0.module == part.module }) && names.contains(where: part.contains) {
            addImport(of: part.module, isOnLinuxOnly: !part.isOnApplePlatforms)
        }
    }

    /// Whether the source uses the lock of C's that Foundation brings along on Apple's platforms, and that `os` declares besides.
    var needsLocks: Bool {
        surroundings.isMissing("os") && names.contains { $0.hasPrefix("os_unfair_lock") }
            && !imports.contains { SubstituteModule(rawValue: $0.module).map { $0 != .combine } ?? false }
    }

    /// Imports the module that has this lock on Linux, and returns what it stands in for.
    func addLocks() -> SubstituteModule {
        for module in SubstituteModule.os.replacements { addImport(of: module, isOnLinuxOnly: true) }
        return .os
    }

    /// Imports a module beside the first import that depends on no condition, or before everything.
    func addImport(of module: String, isOnLinuxOnly: Bool = false) {
        addImports(of: [module], under: isOnLinuxOnly ? "canImport(\(module))" : nil)
    }

    /// Imports modules there, in a source that people go on with under a condition.
    private func addImports(of modules: [String], under condition: String?) {
        let lines = modules.map { "\(accessOfImports)import \($0)" }
        let written = (condition.map { ["#if \($0)"] + lines + ["#endif"] } ?? lines).map { "\($0)\n" }.joined()
        // An import under a condition is no place for one without.
        if let first = imports.first(where: { $0.parent?.parent?.parent?.is(SourceFileSyntax.self) == true }) {
            let text = style == .overlay ? lines.map { "\($0); " }.joined() : written
            return edits.append(SourceEdit(insert: text, at: first.trimmedStart))
        }
        switch style {
        // In front of all other edits there, such as the condition around an attribute of the first declaration.
        case .portable: edits.insert(SourceEdit(insert: "\(written)\n", at: tree.trimmedStart), at: 0)
        case .overlay:
            let location = "#sourceLocation(file: \"\(path)\", line: 1)"
            edits.append(SourceEdit(insert: "\(lines.joined(separator: "\n"))\n\(location)\n", at: 0))
        }
    }
}

extension ImportDeclSyntax {
    /// The module that is imported, without its submodules.
    var module: String { path.first?.name.text ?? "" }
}

extension IfConfigDeclSyntax {
    /// The modules that are imported in its clauses, and in those inside of them.
    var importedModules: [String] {
        clauses.flatMap { clause -> [String] in
            guard case .statements(let items)? = clause.elements else { return [] }
            return items.flatMap { item in
                item.item.as(ImportDeclSyntax.self).map { [$0.module] }
                    ?? item.item.as(IfConfigDeclSyntax.self)?.importedModules ?? []
            }
        }
    }
}
