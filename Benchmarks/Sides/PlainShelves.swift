import GRDBSQLite

/// A shelf with its volumes as a C program would keep them.
struct PlainShelf {
    var key: Int64
    var volumes: [(key: Int64, pages: Int64)] = []
}

/// The work with shelves through SQLite's C interface.
enum PlainShelves {
    static let volumesEach = 5

    static func insert(_ count: Int, into database: PlainDatabase) throws {
        try database.transaction {
            let shelf = try database.reserveKeys(count, entity: "Shelf")
            var volume = try database.reserveKeys(count * volumesEach, entity: "Volume")
            let (shelfEntity, volumeEntity) = (try database.entityNumber("Shelf"), try database.entityNumber("Volume"))
            for place in 0..<count {
                let key = shelf + Int64(place)
                try database.execute(
                    "INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (\(key), \(shelfEntity), 1, \(place))")
                for number in 0..<volumesEach {
                    let pages = place % 100 + number
                    try database.execute(
                        """
                        INSERT INTO ZVOLUME (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZSHELF)
                        VALUES (\(volume), \(volumeEntity), 1, \(pages), \(key))
                        """)
                    volume += 1
                }
            }
        }
    }

    /// All shelves with their volumes: two queries, put together by a table of keys.
    static func all(_ database: PlainDatabase) throws -> [PlainShelf] {
        var shelves: [PlainShelf] = []
        var places: [Int64: Int] = [:]
        try database.prepare("SELECT Z_PK FROM ZSHELF") { statement in
            while sqlite3_step(statement) == SQLITE_ROW {
                let key = sqlite3_column_int64(statement, 0)
                places[key] = shelves.count
                shelves.append(PlainShelf(key: key))
            }
        }
        try database.prepare("SELECT Z_PK, ZPAGES, ZSHELF FROM ZVOLUME WHERE ZSHELF IN (SELECT Z_PK FROM ZSHELF)") {
            statement in
            while sqlite3_step(statement) == SQLITE_ROW {
                guard let place = places[sqlite3_column_int64(statement, 2)] else { continue }
                shelves[place].volumes.append((sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1)))
            }
        }
        return shelves
    }
}
