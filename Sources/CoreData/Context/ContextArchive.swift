import Foundation

/// What an archive keeps of a context: how it is bound to a queue, and what the program has set.
///
/// Apple's class conforms to `NSCoding` without saying what it archives; this is our choice.
struct ContextArchive {
    let concurrencyType: NSManagedObjectContextConcurrencyType
    private let name: String?
    private let transactionAuthor: String?
    private let policy: NSMergePolicyType?
    private let stalenessInterval: TimeInterval
    private let flags: [Bool]

    private static var flagKeys: [(String, ReferenceWritableKeyPath<NSManagedObjectContext, Bool>)] {
        [
            ("propagatesDeletesAtEndOfEvent", \.propagatesDeletesAtEndOfEvent),
            ("retainsRegisteredObjects", \.retainsRegisteredObjects),
            ("shouldDeleteInaccessibleFaults", \.shouldDeleteInaccessibleFaults),
            ("automaticallyMergesChangesFromParent", \.automaticallyMergesChangesFromParent),
        ]
    }

    init(of context: NSManagedObjectContext) {
        concurrencyType = context.concurrencyType
        name = context.name
        transactionAuthor = context.transactionAuthor
        policy = (context.mergePolicy as? NSMergePolicy)?.mergeType
        stalenessInterval = context.stalenessInterval
        flags = Self.flagKeys.map { context[keyPath: $0.1] }
    }

    /// Nil where the archive has no context, or of a kind that there isn't.
    init?(_ coder: NSCoder) {
        guard coder.containsValue(forKey: "concurrencyType"),
            let type = NSManagedObjectContextConcurrencyType(
                rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "concurrencyType")))
        else { return nil }
        concurrencyType = type
        name = coder.decodeObject(of: NSString.self, forKey: "name") as String?
        transactionAuthor = coder.decodeObject(of: NSString.self, forKey: "transactionAuthor") as String?
        policy = NSMergePolicyType(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "mergePolicy")))
        stalenessInterval = coder.decodeDouble(forKey: "stalenessInterval")
        flags = Self.flagKeys.map { coder.decodeBool(forKey: $0.0) }
    }

    func encode(with coder: NSCoder) {
        coder.encode(Int(concurrencyType.rawValue), forKey: "concurrencyType")
        coder.encode(name as NSString?, forKey: "name")
        coder.encode(transactionAuthor as NSString?, forKey: "transactionAuthor")
        coder.encode(Int(policy?.rawValue ?? 0), forKey: "mergePolicy")
        coder.encode(stalenessInterval, forKey: "stalenessInterval")
        for (flag, key) in zip(flags, Self.flagKeys) { coder.encode(flag, forKey: key.0) }
    }

    func apply(to context: NSManagedObjectContext) {
        context.name = name
        context.transactionAuthor = transactionAuthor
        if let policy { context.mergePolicy = NSMergePolicy(merge: policy) }
        context.stalenessInterval = stalenessInterval
        for (flag, key) in zip(flags, Self.flagKeys) { context[keyPath: key.1] = flag }
    }
}
