/// The methods that generated classes have for a to-many relationship.
struct ToManyAccessors {
    /// A method: its declaration without `func`, the selector on Apple's platforms, and the call behind it.
    struct Method {
        let declaration: String
        let selector: String
        let call: String
    }

    let property: String
    let memberClass: String
    let isOrdered: Bool

    /// The methods with the calls that they consist of, given the key's constant.
    func methods(key: String) -> [Method] {
        let suffix = property.prefix(1).uppercased() + property.dropFirst()
        let collection = isOrdered ? "NSOrderedSet" : "NSSet"
        let common = [
            Method(
                declaration: "addTo\(suffix)(_ value: \(memberClass))", selector: "add\(suffix)Object:",
                call: "addMember(value, for: \(key))"),
            Method(
                declaration: "removeFrom\(suffix)(_ value: \(memberClass))", selector: "remove\(suffix)Object:",
                call: "removeMember(value, for: \(key))"),
            Method(
                declaration: "addTo\(suffix)(_ values: \(collection))", selector: "add\(suffix):",
                call: "addMembers(values, for: \(key))"),
            Method(
                declaration: "removeFrom\(suffix)(_ values: \(collection))", selector: "remove\(suffix):",
                call: "removeMembers(values, for: \(key))"),
        ]
        guard isOrdered else { return common }
        return [
            Method(
                declaration: "insertInto\(suffix)(_ value: \(memberClass), at idx: Int)",
                selector: "insertObject:in\(suffix)AtIndex:", call: "insertMember(value, at: idx, for: \(key))"),
            Method(
                declaration: "removeFrom\(suffix)(at idx: Int)", selector: "removeObjectFrom\(suffix)AtIndex:",
                call: "removeMember(at: idx, for: \(key))"),
            Method(
                declaration: "insertInto\(suffix)(_ values: [\(memberClass)], at indexes: NSIndexSet)",
                selector: "insert\(suffix):atIndexes:", call: "insertMembers(values, at: indexes, for: \(key))"),
            Method(
                declaration: "removeFrom\(suffix)(at indexes: NSIndexSet)", selector: "remove\(suffix)AtIndexes:",
                call: "removeMembers(at: indexes, for: \(key))"),
            Method(
                declaration: "replace\(suffix)(at idx: Int, with value: \(memberClass))",
                selector: "replaceObjectIn\(suffix)AtIndex:withObject:",
                call: "replaceMember(at: idx, with: value, for: \(key))"),
            Method(
                declaration: "replace\(suffix)(at indexes: NSIndexSet, with values: [\(memberClass)])",
                selector: "replace\(suffix)AtIndexes:with\(suffix):",
                call: "replaceMembers(at: indexes, with: values, for: \(key))"),
        ] + common
    }
}
