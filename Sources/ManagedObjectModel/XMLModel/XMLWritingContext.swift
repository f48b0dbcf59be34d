/// What the writers of one XML model share: composite types found so far, and what had to be left out.
final class XMLWritingContext {
    var composites = XMLCompositeWriter()
    /// The attributes of the entity being written whose index follows from their being indexed.
    var indexedAttributes: Set<String> = []
    /// What the XML has no place for, each with the entity and property.
    private(set) var omissions: [String] = []
    /// Where the writers are.
    private var place: [String] = []

    /// Notes that something has no place in the XML.
    func omit(_ what: String) {
        omissions.append((place + [what]).joined(separator: ": "))
    }

    /// Does something to a part of the model, which is named in omissions.
    func within<Result>(_ part: String, _ body: () -> Result) -> Result {
        place.append(part)
        defer { place.removeLast() }
        return body()
    }
}
