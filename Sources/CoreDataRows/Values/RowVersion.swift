/// How the versions of rows are counted: each save adds one.
package enum RowVersion {
    /// The version of a row that was just inserted.
    private static let first: Int64 = 1
    /// How far the version of a row is ahead that is inserted again after its deletion.
    private static let leap: Range<Int64> = 1_000..<1_000_000

    /// The version on which that of a row which is inserted again is counted.
    ///
    /// Others have saved versions that this context hasn't read, and a context that has one of these must not take the new row for
    /// it.
    package static func leap(from version: Int64) -> Int64 { version + .random(in: leap) }

    /// Whether a version is one of a row that was inserted after the deletion of one, and not an older one of that.
    package static func isOfNewRow(_ version: Int64, after deleted: Int64) -> Bool {
        version <= first || version >= deleted + leap.lowerBound
    }
}
