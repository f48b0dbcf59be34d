/// The source file with the bodies of a target's `@NSManaged` members.
struct BodyFile {
    private var members: [ManagedMember] = []
    private(set) var diagnostics: [CompilerDiagnostic] = []

    /// Makes the bodies of all members that the files declare.
    ///
    /// - Parameter isPorted: whether copies of the files are compiled that the porting tool has written.
    init(_ files: [ScannedFile], index: TypeIndex, isPorted: Bool) {
        let resolver = MemberResolver(index: index, files: files)
        diagnostics = files.flatMap(\.diagnostics)
        for declaration in files.flatMap(\.managed) {
            let keyName = "key\(members.count)"
            do {
                members.append(try resolver.resolve(declaration, keyName: keyName))
            } catch let diagnostic as CompilerDiagnostic {
                if !declaration.hasOtherBody(isPorted: isPorted) { diagnostics.append(diagnostic) }
            } catch {
                preconditionFailure("Members are resolved, or told about: \(error)")
            }
        }
    }

    /// The symbols that the file defines.
    var symbols: [String] { members.flatMap { $0.functions.map(\.symbol) } }

    /// Swift declarations.
    var lines: [String] {
        var lines: [String] = []
        for (number, member) in members.enumerated() {
            lines += member.conditions.map { "#if \($0)" }
            lines.append("private let key\(number) = ManagedPropertyKey(\"\(member.key)\")")
            lines.append("extension \(member.extendedClass ?? "NSManagedObject") {")
            for (place, function) in member.functions.enumerated() {
                lines.append(contentsOf: Self.lines(of: function, name: "_managed\(number)_\(place)", member: member))
            }
            lines.append("}")
            lines += member.conditions.map { _ in "#endif" }
            lines.append("")
        }
        return lines
    }

    private static func lines(of function: ManagedMember.Function, name: String, member: ManagedMember) -> [String] {
        // Other modules call the symbols of members that they see; code that is optimised across modules must not look
        // into what is behind them, as it knows them by another type.
        let keyword = member.access == .package ? "package" : "public"
        let access = member.access >= .package ? "@inline(never) @_optimize(none) \(keyword) " : ""
        let result = function.result.map { " -> \($0)" } ?? ""
        return [
            "    @_silgen_name(\"\(function.symbol)\")",
            "    \(access)final func \(name)(\(function.parameters))\(result) { \(function.body) }",
        ]
    }
}

extension ManagedDeclaration {
    /// Whether what is compiled on Linux doesn't lack the member's body: it is for Apple's platforms alone, or the porting tool has
    /// written one.
    fileprivate func hasOtherBody(isPorted: Bool) -> Bool {
        if scope.conditions.contains("canImport(ObjectiveC)") { return true }
        guard isPorted, case .property(let type) = form else { return false }
        return PrivateTypes.isHidden(inItsSource: type)
    }
}
