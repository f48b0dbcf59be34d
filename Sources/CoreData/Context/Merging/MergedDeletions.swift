/// The objects whose deletion by others was merged since the context was saved: they count as deleted until then (Apple's page on
/// `mergeChanges(fromContextDidSave:)`, and published tests).
struct MergedDeletions {
    private struct Member {
        weak var object: NSManagedObject?
    }

    private var members: [Member] = []
    /// How many members there may be before those are dropped that no program has any more: a context that only reads never saves.
    private var limit = 64

    mutating func append(_ object: NSManagedObject) {
        object.flags.insert(.deletionMerged)
        if members.count >= limit {
            members.removeAll { $0.object == nil }
            limit = max(64, 2 * members.count)
        }
        members.append(Member(object: object))
    }

    mutating func forget() {
        for member in members { member.object?.flags.remove(.deletionMerged) }
        members = []
        limit = 64
    }
}
