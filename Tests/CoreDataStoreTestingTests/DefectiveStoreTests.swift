import CoreData
import CoreDataStoreTesting
import Foundation
import Testing

@Suite("The suite for stores finds what is wrong with a store")
struct DefectiveStoreTests {
    static let incremental: StoreConformance = {
        var conformance = StoreConformance(
            storeClass: TrialIncrementalStore.self, storeType: TrialIncrementalStore.storeType)
        conformance.worksWithoutURL = false
        conformance.isShared = true
        conformance.breakSaving = { TokenFile.refuseWriting(at: $0) }
        return conformance
    }()
    static let atomic: StoreConformance = {
        var conformance = StoreConformance(storeClass: TrialAtomicStore.self, storeType: TrialAtomicStore.storeType)
        conformance.breakSaving = { TokenFile.refuseWriting(at: $0) }
        return conformance
    }()

    @Test("A sound incremental store keeps every rule", arguments: incremental.rules)
    func incrementalKeeps(_ rule: StoreRule) throws { try Self.incremental.check(rule) }

    @Test("A sound atomic store keeps every rule", arguments: atomic.rules)
    func atomicKeeps(_ rule: StoreRule) throws { try Self.atomic.check(rule) }

    @Test(
        "One that may be filled in parts keeps those of Save As and migration too",
        arguments: incremental.rules.filter { "\($0)".contains("Save As") || "\($0)".contains("migrated") })
    func filledInParts(_ rule: StoreRule) throws {
        var conformance = Self.incremental
        conformance.options = [TrialIncrementalStore.savesAheadOption: true]
        try conformance.check(rule)
    }

    @Test(
        "A defect of an incremental store breaks the rule that is there to find it", arguments: StoreDefect.incremental)
    func incrementalBreaks(defect: StoreDefect) throws { try expect(defect, toFail: Self.incremental) }

    @Test("A defect of an atomic store breaks the rule that is there to find it", arguments: StoreDefect.atomic)
    func atomicBreaks(defect: StoreDefect) throws { try expect(defect, toFail: Self.atomic) }

    private func expect(_ defect: StoreDefect, toFail conformance: StoreConformance) throws {
        var defective = conformance
        defective.options = [StoreDefect.option: defect.rawValue]
        let rule = try #require(defective.rules.first { $0.description == defect.brokenRule })
        let failure = #expect(throws: StoreRuleFailure.self) { try defective.check(rule) }
        #expect(failure?.details.isEmpty == false)
        #expect(failure?.description.contains(defect.brokenRule) == true)
    }
}
