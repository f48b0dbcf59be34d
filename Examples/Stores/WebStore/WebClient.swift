import CoreData
import StoreJSON

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks the service one thing at a time, and waits.
final class WebClient {
    let base: URL
    /// How long an answer may take, in seconds.
    var timeout: TimeInterval
    private let session = URLSession(configuration: .ephemeral)

    init(base: URL, timeout: TimeInterval) {
        self.base = base
        self.timeout = timeout
    }

    deinit { session.invalidateAndCancel() }

    func send(
        _ method: String, _ path: String, query: [String: String] = [:], json: [String: Any], accepting: Set<Int> = []
    ) throws -> WebAnswer {
        let body = try JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
        return try send(method, path, query: query, body: body, accepting: accepting)
    }

    /// - Parameter accepting: statuses besides 200 that the caller sees to.
    /// - Throws: `NSPersistentStoreTimeoutError` when the service takes too long, `NSPersistentStoreOperationError` for what
    ///   else goes wrong; both name the request.
    func send(
        _ method: String, _ path: String, query: [String: String] = [:], body: Data? = nil, accepting: Set<Int> = []
    ) throws -> WebAnswer {
        var components = URLComponents(url: base.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        if !query.isEmpty {
            components?.queryItems = query.sorted { $0.key < $1.key }.map {
                URLQueryItem(name: $0.key, value: $0.value)
            }
        }
        guard let url = components?.url else { throw JSONFormatError("\(base): \(path) isn't a path") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        request.timeoutInterval = timeout
        let place = "WebStore: \(method) \(url.absoluteString)"
        let (answer, failure) = wait(for: request)
        guard let (response, data) = answer else {
            let timedOut = (failure as? URLError)?.code == .timedOut
            throw CocoaError(
                timedOut ? .persistentStoreTimeout : .persistentStoreOperation,
                userInfo: [
                    NSLocalizedDescriptionKey: "\(place): \(failure?.localizedDescription ?? "no answer")",
                    NSUnderlyingErrorKey: failure ?? URLError(.unknown),
                ])
        }
        guard response.statusCode == 200 || accepting.contains(response.statusCode) else {
            let text = String(decoding: data.prefix(200), as: UTF8.self)
            throw CocoaError(
                .persistentStoreOperation,
                userInfo: [NSLocalizedDescriptionKey: "\(place): status \(response.statusCode). \(text)"])
        }
        return WebAnswer(place: place, status: response.statusCode, body: data)
    }

    private func wait(for request: URLRequest) -> (answer: (HTTPURLResponse, Data)?, failure: (any Error)?) {
        let result = Result()
        let done = DispatchSemaphore(value: 0)
        session.dataTask(with: request) { data, response, error in
            result.answer = (response as? HTTPURLResponse).map { ($0, data ?? Data()) }
            result.failure = error
            done.signal()
        }.resume()
        done.wait()
        return (result.failure == nil ? result.answer : nil, result.failure)
    }

    /// Written before the semaphore is signalled, read after.
    private final class Result: @unchecked Sendable {
        var answer: (HTTPURLResponse, Data)?
        var failure: (any Error)?
    }
}

/// What the service has answered.
struct WebAnswer {
    /// The request, for people to read.
    let place: String
    let status: Int
    let body: Data

    /// - Throws: an error that names the request where the body isn't a JSON object.
    func object() throws -> [String: Any] {
        guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else {
            throw JSONFormatError("\(place): the answer isn't a JSON object")
        }
        return object
    }
}
