/// A method that changes a to-many relationship, told by its name and labels.
///
/// Both the Swift names that Xcode generates ("addToPets(_:)") and the selectors behind them ("addPetsObject(_:)")
/// are understood (Apple: "Core Data Programming Guide", the accessors of to-many relationships).
struct ToManyMethod {
    /// What the method does, as the name of the function of `NSManagedObject` that does it.
    enum Action: String {
        case addMember, addMembers, removeMember, removeMembers
        case insertMember, insertMembers, replaceMember, replaceMembers
        case removeMemberAtIndex, removeMembersAtIndexes
    }

    /// The name of the relationship, with its first letter as in the method.
    let relationship: String
    let action: Action

    /// Nil where the method is none of these.
    init?(name: String, labels: [String?], parameters: [SwiftType]) {
        guard let first = parameters.first, parameters.count <= 2 else { return nil }
        let last = parameters[parameters.count - 1]
        let isSingle = { (type: SwiftType) in Self.isSingle(type) }
        func rest(_ prefix: String, _ suffix: String = "") -> String? {
            guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
                return nil
            }
            let rest = name.dropFirst(prefix.count).dropLast(suffix.count)
            // "addToys" is about toys; letters without case ("日付") and "_" stay what they are.
            return rest.first?.isLowercase == false ? String(rest) : nil
        }
        let found: (String?, Action)
        switch (parameters.count, labels.first ?? nil) {
        case (1, nil):
            if let key = rest("addTo") {
                found = (key, isSingle(first) ? .addMember : .addMembers)
            } else if let key = rest("removeFrom") {
                found = (key, isSingle(first) ? .removeMember : .removeMembers)
            } else if let key = rest("add", "Object") {
                found = (key, .addMember)
            } else if let key = rest("remove", "Object") {
                found = (key, .removeMember)
            } else if let key = rest("add") {
                found = (key, .addMembers)
            } else {
                found = (rest("remove"), .removeMembers)
            }
        case (1, "at"):
            let key = rest("removeFrom") ?? rest("removeObjectFrom") ?? rest("remove")
            found = (key, Self.isIndex(first) ? .removeMemberAtIndex : .removeMembersAtIndexes)
        case (2, nil):
            found = (rest("insertInto") ?? rest("insert"), Self.isIndex(last) ? .insertMember : .insertMembers)
        case (2, "at"):
            let key = rest("replaceObjectIn") ?? rest("replace")
            found = (key, Self.isIndex(first) ? .replaceMember : .replaceMembers)
        default: return nil
        }
        guard let relationship = found.0 else { return nil }
        self.relationship = relationship
        action = found.1
    }

    /// The relationship's name where nothing else says: methods have its first letter in upper case.
    var defaultKey: String { relationship.prefix(1).lowercased() + relationship.dropFirst() }

    /// The call that does what the method is for.
    func call(arguments: [String], key: String) -> String {
        switch action {
        case .addMember, .addMembers, .removeMember, .removeMembers:
            "\(action.rawValue)(\(arguments[0]), for: \(key))"
        case .insertMember, .insertMembers: "\(action.rawValue)(\(arguments[0]), at: \(arguments[1]), for: \(key))"
        case .replaceMember, .replaceMembers:
            "\(action.rawValue)(at: \(arguments[0]), with: \(arguments[1]), for: \(key))"
        case .removeMemberAtIndex: "removeMember(at: \(arguments[0]), for: \(key))"
        case .removeMembersAtIndexes: "removeMembers(at: \(arguments[0]), for: \(key))"
        }
    }

    private static func isSingle(_ type: SwiftType) -> Bool {
        switch type {
        case .bound(let nominal, _): return nominal.module != "Swift"
        case .nominal(let nominal):
            return !(nominal.module == "Foundation" && ["NSSet", "NSOrderedSet", "NSArray"].contains(nominal.name))
        case .optional(let wrapped): return isSingle(wrapped)
        case .tuple, .existential, .anyObject, .parameter: return true
        }
    }

    private static func isIndex(_ type: SwiftType) -> Bool { type == .nominal(NominalType("Swift", "Int", .struct)) }
}
