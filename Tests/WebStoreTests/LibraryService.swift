import Foundation

/// The service that `Documentation/WebStore.md` describes, over dictionaries in memory.
final class LibraryService: @unchecked Sendable {
    private struct Record {
        var values: [String: Any]
        var revision = 1
    }

    private let lock = NSLock()
    private var records: [String: Record] = [:]
    private var metadata: Data?
    private var lastNumber = 0
    private var requests: [String] = []
    /// What the service answers instead.
    private var outage: LoopbackServer.Response?
    /// What was answered to changes, by the name under which they were sent.
    private var answersByAttempt: [String: LoopbackServer.Response] = [:]
    private var losesNextAnswer = false
    private(set) var server: LoopbackServer!

    init() throws {
        server = try LoopbackServer { [weak self] request in
            self?.answer(request) ?? LoopbackServer.Response(status: 503)
        }
    }

    // MARK: What tests do to it

    /// The requests since they were last taken, with the paths of objects left out.
    func takeRequests() -> [String] {
        lock.withLock {
            defer { requests = [] }
            return requests
        }
    }

    /// Lets the next changes be applied, and their answer get lost.
    func loseNextAnswer() { lock.withLock { losesNextAnswer = true } }

    func answerAlways(_ response: LoopbackServer.Response?) { lock.withLock { outage = response } }

    /// Changes a record as another client would.
    func change(_ path: String, _ values: [String: Any]) {
        lock.withLock {
            records[path]?.values.merge(values) { $1 }
            records[path]?.revision += 1
        }
    }
    func remove(_ path: String) { lock.withLock { records[path] = nil } }
    func value(_ path: String, _ name: String) -> Any? { lock.withLock { records[path]?.values[name] } }
    var count: Int { lock.withLock { records.count } }

    // MARK: Requests

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
        lock.withLock {
            requests.append("\(request.method) \(request.path)\(request.query["include"].map { " with \($0)" } ?? "")")
            if let outage { return outage }
            let parts = request.path.split(separator: "/").map(String.init)
            switch (request.method, parts.first ?? "", parts.count) {
            case ("GET", "metadata", 1):
                return metadata.map { LoopbackServer.Response(body: $0) } ?? LoopbackServer.Response(status: 404)
            case ("PUT", "metadata", 1):
                metadata = request.body
                return LoopbackServer.Response()
            case ("POST", "identifiers", 1): return identifiers(request)
            case ("POST", "changes", 1): return changes(request)
            case ("GET", "records", 1): return list(request)
            case ("GET", "records", 3):
                let path = parts[1...2].joined(separator: "/")
                return records[path] == nil ? LoopbackServer.Response(status: 404) : reply(["records": [json(path)]])
            case ("GET", "records", 4):
                let path = parts[1...2].joined(separator: "/")
                return reply(["records": destinations(of: path, parts[3], request.query).map { json($0) }])
            default: return LoopbackServer.Response(status: 400)
            }
        }
    }

    private func reply(_ object: [String: Any], status: Int = 200) -> LoopbackServer.Response {
        let body = try? JSONSerialization.data(withJSONObject: object)
        return LoopbackServer.Response(status: body == nil ? 500 : status, body: body ?? Data())
    }

    private func object(_ request: LoopbackServer.Request) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: request.body)) as? [String: Any] ?? [:]
    }

    private func identifiers(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
        let count = (object(request)["entities"] as? [String])?.count ?? 0
        lastNumber += count
        return reply(["identifiers": Array((lastNumber - count + 1)..<(lastNumber + 1))])
    }

    private func list(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
        if let ids = request.query["ids"]?.split(separator: ",").map(String.init) {
            return reply(["records": ids.filter { records[$0] != nil }.map { json($0) }])
        }
        let entities = Set((request.query["entities"] ?? "").split(separator: ",").map(String.init))
        var paths = records.keys.filter { entities.contains(entity($0)) }
            .sorted { number($0) < number($1) }
        paths.removeFirst(min(paths.count, Int(request.query["offset"] ?? "") ?? 0))
        if let limit = request.query["limit"].flatMap({ Int($0) }) { paths = Array(paths.prefix(limit)) }
        let include = (request.query["include"] ?? "").split(separator: ",").map(String.init)
        let included = Set(paths.flatMap { path in include.flatMap { destinations(of: path, $0) } })
        return reply(["records": paths.map { json($0, with: include) }, "included": included.sorted().map { json($0) }])
    }

    private func entity(_ path: String) -> String { String(path.split(separator: "/")[0]) }
    private func number(_ path: String) -> Int { Int(path.split(separator: "/")[1]) ?? 0 }

    // MARK: Records

    /// To-many relationships are left out unless they are asked for.
    private func json(_ path: String, with relationships: [String] = []) -> [String: Any] {
        guard let record = records[path] else { return [:] }
        let values = record.values.filter { !($0.value is [String]) || relationships.contains($0.key) }
        return ["path": path, "etag": "r\(record.revision)", "values": values]
    }

    private func destinations(of path: String, _ name: String, _ query: [String: String] = [:]) -> [String] {
        if let inverse = query["inverse"] {
            let entities = Set((query["entities"] ?? "").split(separator: ",").map(String.init))
            return records.filter { entities.contains(entity($0.key)) && $0.value.values[inverse] as? String == path }
                .keys.sorted { number($0) < number($1) }
        }
        let value = records[path]?.values[name]
        return value as? [String] ?? (value as? String).map { [$0] } ?? []
    }

    /// Applies changes once: who sends them again, as the answer was lost, gets the same answer.
    private func changes(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
        let attempt = object(request)["attempt"] as? String ?? UUID().uuidString
        if let known = answersByAttempt[attempt] { return known }
        let answer = apply(request)
        answersByAttempt[attempt] = answer
        guard losesNextAnswer else { return answer }
        losesNextAnswer = false
        return LoopbackServer.Response(isWithheld: true)
    }

    private func apply(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
        let changes = object(request)["changes"] as? [[String: Any]] ?? []
        var stale: [String] = []
        for change in changes where change["kind"] as? String != "create" {
            guard let path = change["path"] as? String else { return LoopbackServer.Response(status: 400) }
            let etag = records[path].map { "r\($0.revision)" }
            if etag == nil || etag != change["etag"] as? String { stale.append(path) }
        }
        guard stale.isEmpty else {
            let present = stale.filter { records[$0] != nil }
            return reply(
                ["records": present.map { json($0) }, "missing": stale.filter { records[$0] == nil }], status: 412)
        }
        var written: [String] = []
        for change in changes {
            guard let path = change["path"] as? String, let kind = change["kind"] as? String else { continue }
            switch kind {
            case "delete": records[path] = nil
            case "check": break
            default:
                var record = records[path] ?? Record(values: [:], revision: 0)
                record.values.merge(change["values"] as? [String: Any] ?? [:]) { $1 }
                record.revision += 1
                // The service has a mind of its own: titles are trimmed.
                if let title = record.values["title"] as? String {
                    record.values["title"] = title.trimmingCharacters(in: .whitespaces)
                }
                records[path] = record
                written.append(path)
            }
        }
        return reply(["records": written.map { json($0) }])
    }
}
