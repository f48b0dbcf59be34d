import CoreData
import Foundation

/// What a store of these tests holds: values of any type, without a format.
struct StoredContents: @unchecked Sendable {
    struct Row {
        var entity: String
        /// Attributes as they are; relationships as lists of numbers.
        var values: [String: Any]
        var version: UInt64 = 1
    }

    var metadata: [String: Any] = [:]
    var rows: [Int: Row] = [:]

    // MARK: Defects

    /// As a defective store writes them.
    func written(by defect: StoreDefect?, over old: StoredContents) -> StoredContents {
        var contents = self
        contents.rows = rows.mapValues { row in
            var row = row
            row.values = row.values.compactMapValues { Self.written($0, by: defect) }
            if defect == .losesOneAttribute { row.values["uuid"] = nil }
            return row
        }
        for (number, before) in old.rows {
            if let row = contents.rows[number] {
                contents.rows[number] = Self.merged(row, over: before, by: defect)
            } else if defect == .losesDeletions {
                contents.rows[number] = before
            }
        }
        switch defect {
        case .losesOneEntity: contents.rows = contents.rows.filter { $0.value.entity != "Film" }
        case .forgetsMetadata: contents.metadata = metadata.filter { $0.key.hasPrefix("NSStore") }
        case .savesMetadataWithObjectsOnly where Self.sameRows(rows, old.rows) && !old.metadata.isEmpty:
            contents.metadata = old.metadata
        default: break
        }
        return contents
    }

    private static func sameRows(_ new: [Int: Row], _ old: [Int: Row]) -> Bool {
        new.mapValues(\.version) == old.mapValues(\.version)
    }

    private static func written(_ value: Any, by defect: StoreDefect?) -> Any? {
        switch (defect, value) {
        case (.roundsDates, let date as Date):
            Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded())
        case (.roundsDecimals, let decimal as Decimal): Decimal(Double(Float("\(decimal)") ?? 0))
        case (.roundsDecimals, let decimal as NSDecimalNumber): Decimal(Double(decimal.floatValue))
        case (.cutsLongData, let data as Data): Data(data.prefix(65536))
        case (.trimsTexts, let text as String): text.trimmingCharacters(in: .whitespaces)
        case (.forgetsOrder, let numbers as [Int]): numbers.sorted()
        default: value
        }
    }

    private static func merged(_ new: Row, over old: Row, by defect: StoreDefect?) -> Row {
        var row = new
        switch defect {
        case .losesUpdates:
            row.values = old.values
        case .losesNil: row.values.merge(old.values) { new, _ in new }
        case .keepsOldMembers:
            row.values.merge(old.values) { new, old in
                guard let members = new as? [Int], let before = old as? [Int] else { return new }
                return members.count < before.count ? before : members
            }
        default: break
        }
        return row
    }

    /// The metadata as a defective store reads it.
    func metadataRead(by defect: StoreDefect?) -> [String: Any] {
        var metadata = metadata
        if defect == .hasNewUUIDEachTime { metadata[NSStoreUUIDKey] = UUID().uuidString }
        if defect == .forgetsVersionHashes { metadata[NSStoreModelVersionHashesKey] = nil }
        return metadata
    }

    /// What a defective store makes of a save that fails; nil where it changes nothing.
    func written(inFailureBy defect: StoreDefect?, over old: StoredContents) -> StoredContents? {
        switch defect {
        case .writesFailedSaves: return self
        case .writesHalfOfAFailedSave:
            var half = old
            half.rows.merge(rows) { before, _ in before }
            return half
        default: return nil
        }
    }
}
