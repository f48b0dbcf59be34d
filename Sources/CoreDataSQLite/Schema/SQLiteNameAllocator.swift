/// Gives names out inside one table, with Apple's suffixes where two properties would have the same one.
///
/// The first keeps the plain name, the next ones get 1, 2, 3…, counted for each plain name.
/// Seen in the Notes, Photos and MetaCocktails stores. A suffixed name that another property has as its plain one
/// is passed over (our choice: no store with that was seen, and two columns can't have one name).
struct SQLiteNameAllocator {
    private var countByName: [String: Int] = [:]
    private var taken: Set<String> = []

    mutating func allocate(_ name: String) -> String {
        var count = countByName[name, default: 0]
        var candidate = count == 0 ? name : name + String(count)
        while !taken.insert(candidate).inserted {
            count += 1
            candidate = name + String(count)
        }
        countByName[name] = count + 1
        return candidate
    }
}
