import CoreData

extension NSEntityDescription {
    /// The property of that name, own or inherited; the error about another name says what was probably meant.
    func property(named name: String) throws -> NSPropertyDescription {
        guard let property = propertiesByName[name] else {
            let hint = UnknownName.hint(for: name, among: Array(propertiesByName.keys))
            throw CommandFailure(self.name ?? "?", "no property \u{201C}\(name)\u{201D}.\(hint)")
        }
        return property
    }
}
