/// Writes types in Swift, so that they mean the same inside of a given class.
struct TypeSpelling {
    /// The modules that clients see instead of those that declare the types.
    private static let publicModules = [
        "FoundationEssentials": "Foundation", "FoundationCompat": "CoreData", "ManagedObjectModel": "CoreData",
    ]

    private let own: ModuleTypes
    private let sharedNames: Set<String>
    /// The names of the generic parameters in scope.
    var parameters: [String] = []

    init(_ index: TypeIndex) {
        own = index.own
        sharedNames = index.sharedNames
    }

    func spell(_ type: SwiftType) -> String {
        switch type {
        case .nominal(let nominal): return spell(nominal)
        case .bound(let nominal, let arguments):
            if nominal == NominalType("Swift", "Array", .struct) { return "[\(spell(arguments[0]))]" }
            if nominal == NominalType("Swift", "Dictionary", .struct) {
                return "[\(spell(arguments[0])): \(spell(arguments[1]))]"
            }
            return "\(spell(nominal))<\(arguments.map(spell).joined(separator: ", "))>"
        case .optional(.existential(let protocols, let superclass)) where !protocols.isEmpty:
            return "(\(spell(.existential(protocols: protocols, superclass: superclass))))?"
        case .optional(let wrapped): return spell(wrapped) + "?"
        case .tuple(let elements): return "(\(elements.map(spell).joined(separator: ", ")))"
        case .existential(let protocols, nil) where protocols.isEmpty: return "Any"
        case .existential(let protocols, let superclass):
            return "any " + ([superclass].compactMap { $0 } + protocols).map(spell).joined(separator: " & ")
        case .anyObject: return "AnyObject"
        case .parameter(let index): return parameters[index]
        }
    }

    func spell(_ nominal: NominalType) -> String {
        let path = nominal.path.map { Self.quoted($0.name) }.joined(separator: ".")
        if nominal.module == own.module { return path }
        // Types of well-known modules have no prefix, unless the program or a module that it imports has a type of the same name.
        let name = nominal.path[0].name
        if KnownTypes.modules.contains(nominal.module), !own.declares(name), !sharedNames.contains(name) { return path }
        return "\(Self.publicModules[nominal.module] ?? nominal.module).\(path)"
    }

    /// The name with backticks where it would be taken for a keyword.
    static func quoted(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    private static let keywords: Set<String> = Set(
        """
        Any Protocol Self Type actor as associatedtype break case catch class continue default defer deinit do else enum \
        extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
        precedencegroup private protocol public repeat rethrows return self static struct subscript super switch throw \
        throws true try typealias var where while
        """.split(separator: " ").map(String.init))
}
