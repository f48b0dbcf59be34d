import CLibPQ
import CoreDataRows
import Foundation

/// Where a store lies: a server, a database, and a schema in it.
///
/// The URL is libpq's (https://www.postgresql.org/docs/current/libpq-connect.html, "Connection URIs"): several hosts, TLS and
/// every other parameter mean what they mean there. Two parameters are the store's own and taken out first: `schema`, and
/// `statements`.
struct PostgreSQLAddress: Sendable, Hashable, CustomStringConvertible {
    /// The schema that the store's tables are in; `public` unless the URL names another one.
    let schema: String
    /// Whether statements are prepared and kept by the connection. `statements=unnamed` in the URL says no, for a pool between
    /// program and server that gives each transaction another connection.
    let preparesStatements: Bool
    /// What libpq is told, in its order.
    let parameters: [Parameter]

    struct Parameter: Sendable, Hashable {
        let keyword: String
        let value: String
    }

    static let schemaParameter = "schema"
    private static let statementsParameter = "statements"

    /// - Throws: an error that says what is wrong with the URL. A password in it is in no error.
    init(_ url: URL) throws {
        let (text, own) = Self.takingOwnParameters(out: url.absoluteString)
        schema = own[Self.schemaParameter] ?? "public"
        guard !schema.isEmpty, schema.utf8.count <= PostgreSQLName.longest, !schema.utf8.contains(0) else {
            throw Self.invalid("the schema's name has to have 1 to \(PostgreSQLName.longest) bytes")
        }
        switch own[Self.statementsParameter] {
        case nil, "prepared": preparesStatements = true
        case "unnamed": preparesStatements = false
        default: throw Self.invalid("statements= is either prepared or unnamed")
        }
        parameters = try Self.parse(text)
    }

    /// The value of a parameter of libpq's; nil where the URL doesn't say.
    func value(of keyword: String) -> String? { parameters.first { $0.keyword == keyword }?.value }

    /// The place for people to read: without user and password.
    var description: String {
        "PostgreSQL database \(value(of: "dbname") ?? value(of: "user") ?? "") on \(value(of: "host") ?? "this machine"), "
            + "schema \(schema)"
    }

    // MARK: Reading the URL

    private static func takingOwnParameters(out url: String) -> (String, [String: String]) {
        guard let mark = url.firstIndex(of: "?") else { return (url, [:]) }
        var own: [String: String] = [:]
        let others = url[url.index(after: mark)...].split(separator: "&").filter { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, [schemaParameter, statementsParameter].contains(String(name)) else {
                return true
            }
            let value = parts.count > 1 ? String(parts[1]) : ""
            own[String(name)] = value.removingPercentEncoding ?? value
            return false
        }
        let base = String(url[..<mark])
        return (others.isEmpty ? base : base + "?" + others.joined(separator: "&"), own)
    }

    private static func parse(_ text: String) throws -> [Parameter] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            // libpq's message may repeat a part of the URL, and that part may be the password.
            PQfreemem(message)
            throw invalid("libpq can't read it as postgresql://user@host/database?parameter=value")
        }
        defer { PQconninfoFree(options) }
        var parameters: [Parameter] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parameters.append(Parameter(keyword: String(cString: keyword), value: String(cString: value)))
            }
            option += 1
        }
        return parameters
    }

    private static func invalid(_ reason: String) -> NSError {
        CoreDataError.make(NSPersistentStoreOpenError, "The URL of a PostgreSQL store can't be used: \(reason).")
    }
}
