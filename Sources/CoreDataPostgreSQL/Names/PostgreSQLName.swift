import Foundation

/// Names in the database: those of the model as they are, in quotes, as far as the server has room for them.
enum PostgreSQLName {
    /// The server cuts longer names off, and they could become the same then (`NAMEDATALEN`).
    static let longest = 63

    /// What the store adds to the model begins so; a name of the model that does gets one more.
    private static let ownPrefix = "_"

    static let store = "_store"
    static let entities = "_entities"
    static let keys = "_keys"
    static let transactions = "_transactions"
    static let changes = "_changes"
    static let history = "_history"
    static let key = "_id"
    static let entity = "_entity"
    static let version = "_version"

    /// The name of a table or column for a name of the model.
    static func ofModel(_ name: String) -> String {
        fitting(name.hasPrefix(ownPrefix) ? ownPrefix + name : name)
    }

    /// The name itself; one that is too long is cut off, and ends in a number that was computed from the whole.
    static func fitting(_ name: String) -> String {
        let name = name.replacing("\u{0}", with: "\u{FFFD}")
        guard name.utf8.count > longest else { return name.isEmpty ? "?" : name }
        // FNV-1a: the same in every process.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let suffix = "~" + String(hash, radix: 36)
        var start = name
        while start.utf8.count + suffix.utf8.count > longest { start.removeLast() }
        return start + suffix
    }
}

/// Gives every name of a table or a schema once.
struct PostgreSQLNames {
    private var taken: Set<String> = []

    /// The name, or, where something else has it, the name with what it belongs to before it, or a number behind it.
    mutating func take(_ name: String, of owner: String? = nil) -> String {
        for candidate in [name] + (owner.map { ["\($0).\(name)"] } ?? []) {
            let fitting = PostgreSQLName.fitting(candidate)
            if taken.insert(fitting).inserted { return fitting }
        }
        var number = 2
        while true {
            let fitting = PostgreSQLName.fitting("\(name)#\(number)")
            if taken.insert(fitting).inserted { return fitting }
            number += 1
        }
    }
}
