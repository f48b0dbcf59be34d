import Foundation
import Synchronization

/// A file that holds no more than a token, under which the contents lie in memory. It can be moved, copied, damaged and made
/// unwritable as any file.
enum TokenFile {
    private static let table = Mutex<[String: StoredContents]>([:])
    /// The places where writing fails.
    private static let refusing = Mutex<Set<String>>([])
    private static let lastNumber = Atomic(0)

    private static let openings = Mutex<[String: Int]>([:])

    /// How often the store at a place has been opened, this time included.
    static func countOpening(of url: URL) -> Int {
        openings.withLock { openings in
            openings[url.path, default: 0] += 1
            return openings[url.path, default: 0]
        }
    }

    struct Failure: LocalizedError {
        let errorDescription: String?
    }

    /// - Returns: nil where there is no file, or a reservation.
    static func read(_ url: URL) throws -> StoredContents? {
        guard url.path != "/dev/null", FileManager.default.fileExists(atPath: url.path) else { return nil }
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        if text.isEmpty { return nil }
        guard let contents = table.withLock({ $0[text] }) else {
            throw Failure(errorDescription: "\(url.path) is no store")
        }
        return contents
    }

    /// - Throws: an error where there is no file, or a reservation.
    static func metadata(at url: URL) throws -> [String: Any] { try existing(url).metadata }

    /// - Throws: an error where there is no file, or a reservation.
    static func setMetadata(_ metadata: [String: Any]?, at url: URL) throws {
        var contents = try existing(url)
        contents.metadata = metadata ?? [:]
        try put(contents, at: url)
    }

    private static func existing(_ url: URL) throws -> StoredContents {
        guard let contents = try read(url) else { throw Failure(errorDescription: "There is no store at \(url.path)") }
        return contents
    }

    /// - Parameter old: what is there.
    static func write(
        _ contents: StoredContents, over old: StoredContents, to url: URL, defect: StoreDefect?
    ) throws {
        guard url.path != "/dev/null" else { return }
        guard refusing.withLock({ $0.contains(url.path) }) else {
            return try put(contents.written(by: defect, over: old), at: url)
        }
        if let half = contents.written(inFailureBy: defect, over: old) { try put(half, at: url) }
        throw Failure(errorDescription: "\(url.path) can't be written")
    }

    static func put(_ contents: StoredContents, at url: URL) throws {
        let text = "contents \(UUID().uuidString)"
        table.withLock { $0[text] = contents }
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    /// - Returns: what makes writing possible again.
    static func refuseWriting(at url: URL) -> @Sendable () throws -> Void {
        refusing.withLock { _ = $0.insert(url.path) }
        return { refusing.withLock { _ = $0.remove(url.path) } }
    }

    static func reserve(_ url: URL) throws {
        if url.path != "/dev/null" { try Data().write(to: url, options: .withoutOverwriting) }
    }

    static func isReservation(_ url: URL) -> Bool {
        url.path != "/dev/null" && (try? Data(contentsOf: url))?.isEmpty == true
    }

    /// Numbers for new objects: no store has one twice, whoever asks.
    static func newNumbers(_ count: Int, besides taken: Set<Int>, defect: StoreDefect?) -> [Int] {
        if defect == .givesIDsAgain { return Array((1...).lazy.filter { !taken.contains($0) }.prefix(count)) }
        let last = lastNumber.add(count, ordering: .relaxed).newValue
        return Array((last - count + 1)..<(last + 1))
    }
}
