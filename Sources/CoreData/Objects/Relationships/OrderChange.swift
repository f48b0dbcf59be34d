/// How the order of some objects was changed, so that the same can be done to another order of them.
struct OrderChange {
    private let now: ContiguousArray<NSManagedObject>
    /// Whether objects that were there before have changed places among themselves.
    private let isRearranged: Bool

    init(from before: ContiguousArray<NSManagedObject>, to now: ContiguousArray<NSManagedObject>) {
        self.now = now
        let (known, kept) = (Set(before), Set(now))
        isRearranged = now.filter(known.contains) != before.filter(kept.contains)
    }

    /// The other order with the changes laid over it.
    ///
    /// If this change has rearranged the objects, they come in its arrangement, otherwise in that of the other order.
    /// An object that only one of the two has comes behind the one that it follows there, and at the end where it was
    /// at the end.
    func applied(
        to other: ContiguousArray<NSManagedObject>, adding added: Set<NSManagedObject>,
        removing removed: Set<NSManagedObject>
    ) -> ContiguousArray<NSManagedObject> {
        let present = Set(other).subtracting(removed).union(added)
        let (leading, following) = isRearranged ? (now, other) : (other, now)
        var result = ContiguousArray(leading.filter(present.contains))
        let leaders = Set(result)
        let last = following.lastIndex(where: leaders.contains) ?? -1
        var place = 0
        for (index, object) in following.enumerated() where present.contains(object) {
            if leaders.contains(object) {
                place = (result.firstIndex(of: object) ?? place) + 1
            } else if index > last {
                result.append(object)
            } else {
                result.insert(object, at: place)
                place += 1
            }
        }
        return result
    }
}
