/// A section as the results show it: objects of one name that follow each other.
struct SectionRun: Codable, Equatable {
    let name: String
    var count: Int

    /// The sections of results, by their names in order.
    ///
    /// - Parameter keyPath: where the names come from, for the message.
    /// - Throws: an error where results of one section don't follow each other.
    static func runs(of names: some Sequence<String>, by keyPath: String) throws -> [SectionRun] {
        var runs: [SectionRun] = []
        var known = Set<String>()
        for (index, name) in names.enumerated() {
            if runs.last?.name == name {
                runs[runs.count - 1].count += 1
            } else if known.insert(name).inserted {
                runs.append(SectionRun(name: name, count: 1))
            } else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The fetched object at index \(index) has an out of order section name '\(name)'. Objects must be "
                        + "sorted by section name: let the first sort descriptor order them by '\(keyPath)'.")
            }
        }
        return runs
    }
}
