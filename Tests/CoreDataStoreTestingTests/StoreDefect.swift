/// What may be wrong with a store, for the suite to find.
enum StoreDefect: String, CaseIterable {
    // Of any store
    case losesUpdates, losesDeletions, losesOneEntity, losesOneAttribute, losesNil, keepsOldMembers, forgetsOrder
    case roundsDates, roundsDecimals, cutsLongData, trimsTexts
    case changesIDs, givesIDsAgain, mixesIDs
    case forgetsMetadata, savesMetadataWithObjectsOnly, hasNewUUIDEachTime, forgetsVersionHashes, takesGarbageForNew
    case writesHalfOfAFailedSave, writesFailedSaves, ignoresReplacements
    // Of an incremental store
    case ignoresPredicate, ignoresCase, ignoresSortOrder, ignoresLimit, ignoresOffset, ignoresSubentities
    case countsEverything, ignoresGroups, ignoresDistinctness, ignoresConditionsOnGroups
    case neverCountsVersions, overwritesConflicts, cachesForEver, inventsMissingObjects, losesToMany
    // Of an atomic store
    case ignoresChanges, removesSavedFile, connectsNothing, leavesReservation, refusesReservations

    /// The key in a store's options.
    static let option = "Defect"

    init?(_ options: [AnyHashable: Any]?) {
        guard let name = options?[Self.option] as? String else { return nil }
        self.init(rawValue: name)
    }

    static let incremental = allCases.filter { $0.kind != .atomic }
    static let atomic = allCases.filter { $0.kind != .incremental }

    private enum Kind { case any, incremental, atomic }

    private var kind: Kind {
        switch self {
        case .ignoresPredicate, .ignoresCase, .ignoresSortOrder, .ignoresLimit, .ignoresOffset, .ignoresSubentities,
            .countsEverything, .ignoresGroups, .ignoresDistinctness, .ignoresConditionsOnGroups, .neverCountsVersions,
            .overwritesConflicts, .cachesForEver, .inventsMissingObjects, .losesToMany:
            .incremental
        case .ignoresChanges, .removesSavedFile, .connectsNothing, .leavesReservation, .refusesReservations: .atomic
        default: .any
        }
    }

    /// The rule that is there to find it.
    var brokenRule: String {
        switch self {
        case .losesUpdates, .losesNil, .ignoresChanges: "A changed value replaces the one before, and nil takes it away"
        case .losesDeletions: "A deleted object is gone, from relationships too, and with what it owns"
        case .losesOneEntity, .removesSavedFile:
            "A store is one of its coordinator's until it is removed, and can be added again"
        case .losesOneAttribute, .roundsDates, .roundsDecimals, .cutsLongData, .trimsTexts:
            "Every type of attribute comes back as it was saved"
        case .keepsOldMembers: "Changed relationships are as they were left: moved, added, removed, reordered, emptied"
        case .forgetsOrder: "Ordered relationships keep their order"
        case .changesIDs: "An ID never changes, and its URI leads back to the object"
        case .mixesIDs: "Two stacks over one store have the same IDs and URIs for its objects"
        case .ignoresReplacements: "A store is migrated when it is opened with another model, if that is asked for"
        case .givesIDsAgain: "IDs are told apart: each object has its own, and none comes again"
        case .forgetsMetadata: "UUID and metadata of clients are there when the store is opened again"
        case .savesMetadataWithObjectsOnly: "Metadata that was set is kept by a save that changes nothing else"
        case .hasNewUUIDEachTime: "UUID and metadata of clients are there when the store is opened again"
        case .forgetsVersionHashes: "A model that the store wasn't made for is refused (134100), and nothing changes"
        case .takesGarbageForNew: "A store that isn't one can't be opened: an error, and no crash"
        case .writesHalfOfAFailedSave, .writesFailedSaves:
            "A failed save leaves context and store as they were, and can be tried again"
        case .ignoresPredicate, .ignoresCase:
            "Predicates find what they find when they are evaluated with the objects themselves"
        case .ignoresSortOrder: "Results come in the order that was asked for"
        case .ignoresLimit, .ignoresOffset: "Limit and offset cut the ordered results"
        case .ignoresSubentities: "Subentities are among the results unless they are to be left out"
        case .countsEverything: "A fetch for the count gives the number of objects"
        case .ignoresGroups, .ignoresDistinctness, .ignoresConditionsOnGroups:
            "Dictionaries can be distinct, grouped and aggregated, and groups left out"
        case .neverCountsVersions: "Changes after a conflict was resolved are saved like others"
        case .overwritesConflicts: "A change over what another stack has saved is a conflict, not a lost update"
        case .cachesForEver: "What one context saves another one sees when it refreshes"
        case .inventsMissingObjects: "There is no existing object for the ID of one that was deleted (133000)"
        case .losesToMany, .connectsNothing:
            "Relationships to one and to many lead to the same objects when they are read again"
        case .leavesReservation: "A store that leaves before it was saved leaves no reservation behind"
        case .refusesReservations: "A file of zero length is a reservation: a new store is made there"
        }
    }
}
