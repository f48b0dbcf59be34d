import CoreData

/// What `info` says about a store.
struct StoreReport {
    private let path: String
    private let metadata: [String: Any]
    private let inventory: StoreInventory

    init(storePath: String, modelPath: String?) throws {
        let path = StoreFile.name(storePath)
        self.path = path
        let url = try StoreFile.url(storePath)
        // A store without a model of its own can be looked into all the same.
        let model =
            try modelPath == nil
            ? try? StoreFile.model(at: nil, forStoreAt: url) : StoreFile.model(at: modelPath, forStoreAt: url)
        (metadata, inventory) = try StoreFile.naming(path) {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: StoreFile.type(of: url), at: url, options: nil)
            return (
                metadata,
                try NSPersistentStoreCoordinator.inventory(
                    ofStoreAt: url, ofType: StoreFile.type(of: url), model: model)
            )
        }
    }

    var json: JSONValue {
        .object([
            "storeType": .string(storeType),
            "uuid": .string(uuid),
            "metadata": .object(metadata.mapValues { JSONValue($0) }),
            "entities": .array(
                inventory.entities.map { entity in
                    .object([
                        "name": .string(entity.name), "number": .integer(entity.number),
                        "superentity": entity.superentity.map { .string($0) } ?? .null,
                        "rows": .integer(Int64(entity.rows)),
                    ])
                }),
            "history": .bool(inventory.hasHistory),
            "otherTables": .array(
                inventory.otherTables.map { table in
                    .object(["name": .string(table.name), "rows": table.rows.map { .integer(Int64($0)) } ?? .null])
                }),
        ])
    }

    var text: String {
        var lines = ["\(path): \(storeType) store \(uuid)", "", "Metadata"]
        lines += metadata.sorted { $0.key < $1.key }.map { key, value in
            if let hashes = value as? [String: Data] {
                return "  \(key): \(hashes.count) entities"
            }
            return "  \(key): \(JSONValue(value).text())"
        }
        let rows = inventory.entities.map { entity in
            [String(entity.number), entity.name, entity.superentity ?? "", String(entity.rows)]
        }
        lines += ["", "Entities"] + Self.table([["number", "name", "superentity", "rows"]] + rows)
        lines += ["", "History: " + (inventory.hasHistory ? "recorded" : "not recorded")]
        if !inventory.otherTables.isEmpty {
            let tables = inventory.otherTables.map { [$0.name, $0.rows.map(String.init) ?? "not readable"] }
            lines += ["", "Other tables"] + Self.table(tables)
        }
        return lines.joined(separator: "\n")
    }

    private var storeType: String { metadata[NSStoreTypeKey] as? String ?? NSSQLiteStoreType }
    private var uuid: String { metadata[NSStoreUUIDKey] as? String ?? "" }

    private static func table(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return "  " + cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
    }
}
