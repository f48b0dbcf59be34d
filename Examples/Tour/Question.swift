import CoreData

/// A fetch that finds something in an entity whose meaning nobody told us: a string that begins as one in the
/// middle of a sample does, or a number at least as large as the sample's middle.
struct Question {
    let key: String
    let request: NSFetchRequest<NSManagedObject>

    private static let sampleSize = 200

    /// Nil where no string or number attribute has a value.
    @MainActor
    init?(about entity: NSEntityDescription, in context: NSManagedObjectContext) throws {
        let sampling = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        sampling.fetchLimit = Self.sampleSize
        let sample = try context.fetch(sampling)
        let attributes = entity.attributesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
        let predicates = attributes.lazy.compactMap { attribute in
            Self.predicate(on: attribute, from: sample).map { (attribute.name, $0) }
        }
        // Strings make the more readable question.
        guard
            let (key, predicate) = predicates.first(where: {
                entity.attributesByName[$0.0]?.attributeType == .stringAttributeType
            }) ?? predicates.first
        else { return nil }
        self.key = key
        request = NSFetchRequest(entityName: entity.name ?? "")
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    }

    private static func predicate(on attribute: NSAttributeDescription, from sample: [NSManagedObject]) -> NSPredicate?
    {
        let values = sample.compactMap { $0.value(forKey: attribute.name) }
        switch attribute.attributeType {
        case .stringAttributeType:
            let words = values.compactMap { $0 as? String }.filter { !$0.isEmpty }.sorted()
            guard !words.isEmpty else { return nil }
            return NSPredicate(format: "%K BEGINSWITH[cd] %@", attribute.name, String(words[words.count / 2].prefix(1)))
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType:
            let numbers = values.compactMap { $0 as? NSNumber }.sorted { $0.doubleValue < $1.doubleValue }
            guard !numbers.isEmpty else { return nil }
            return NSPredicate(format: "%K >= %@", attribute.name, numbers[numbers.count / 2])
        default:
            return nil
        }
    }
}
