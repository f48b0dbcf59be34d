@_spi(Engine) import CoreDataRows

/// A store that is being filled with the objects of another one, in several transactions: rows lead to others that later
/// transactions write. Until it is whole it has no foreign keys, and its metadata say so.
struct PostgreSQLFilling {
    let schema: PostgreSQLSchema

    /// Removes the foreign keys where the metadata begin to say that the store isn't whole, and makes them where they cease to.
    ///
    /// - Throws: an error of the server that names the key, where something leads nowhere.
    func follow(_ metadata: [String: Any], insteadOf former: [String: Any]?, in connection: PostgreSQLConnection) throws
    {
        let key = StoreMetadata.unfinishedCopyKey
        let (was, becomes) = (former?[key] != nil, metadata[key] != nil)
        guard was != becomes else { return }
        for part in schema.parts {
            guard case .reference = part.kind else { continue }
            try connection.executeScript(becomes ? part.removal(in: schema) : part.sql)
        }
    }
}
