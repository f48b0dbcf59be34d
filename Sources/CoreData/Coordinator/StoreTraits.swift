/// What the stores of a class can do, which the coordinator and the contexts go by.
struct StoreTraits: OptionSet {
    let rawValue: UInt16

    /// Several threads may ask at once.
    static let servesConcurrently = StoreTraits(rawValue: 1 << 0)
    /// Reading many rows costs about as much as reading one. Where it doesn't, nothing is read ahead.
    static let readsManyAtOnce = StoreTraits(rawValue: 1 << 1)
    /// The store gives out the identities of new objects inside the save, rather than before it.
    static let givesKeysInSave = StoreTraits(rawValue: 1 << 2)
    /// What a save has written can be rolled back as long as `save(_:beforeCommit:)` hasn't returned.
    static let takesBackSaves = StoreTraits(rawValue: 1 << 3)
    /// The store itself finds values that break uniqueness constraints, those of unsaved objects too.
    static let findsDuplicates = StoreTraits(rawValue: 1 << 4)
    /// All objects are in memory, so that a request may run the program's code on each of them.
    static let holdsObjectsInMemory = StoreTraits(rawValue: 1 << 5)
    /// The store can keep a state readable for contexts that are pinned to it.
    static let servesGenerations = StoreTraits(rawValue: 1 << 6)
    /// The store wants to know which objects contexts use.
    static let tracksRegistration = StoreTraits(rawValue: 1 << 7)
    /// A save has nothing left to do, once the other stores have committed, but to give a file its name.
    static let commitsSurely = StoreTraits(rawValue: 1 << 8)
    /// A save writes nothing before the other stores have committed that do so sooner, and can be taken back until then.
    static let waitsForOthers = StoreTraits(rawValue: 1 << 9)
    /// Several threads may write at once.
    static let servesWritersSideBySide = StoreTraits(rawValue: 1 << 10)
}
