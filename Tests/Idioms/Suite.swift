import Foundation

/// A group of claims about what an ordinary program sees. Each one runs in a process of its own, on the main thread, with the
/// settings that a program has by default.
@MainActor
final class Suite {
    enum Body {
        case now(@MainActor () throws -> Void)
        case later(@MainActor () async throws -> Void)
    }

    private(set) var claims: [(name: String, body: Body)] = []

    /// Adds a claim.
    func callAsFunction(_ name: String, _ body: @escaping @MainActor () throws -> Void) {
        claims.append((name, .now(body)))
    }

    /// Adds a claim that has to wait for something.
    func waiting(_ name: String, _ body: @escaping @MainActor () async throws -> Void) {
        claims.append((name, .later(body)))
    }
}

// Safe: the value is read and written under the lock.
/// Something that another thread says when it is done.
final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set(_ value: Bool = true) { lock.withLock { self.value = value } }
}

/// What a program expected and didn't find.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// Ends the claim where the condition doesn't hold.
func expect(
    _ condition: @autoclosure () throws -> Bool, _ remark: @autoclosure () -> String = "", file: String = #fileID,
    line: Int = #line
) throws {
    guard try condition() else { throw Unexpected(description: "\(file):\(line): not so. \(remark())") }
}

/// Ends the claim where two values differ, and shows them.
func expect<Value: Equatable>(
    _ value: @autoclosure () throws -> Value, is wanted: Value, file: String = #fileID, line: Int = #line
) throws {
    let value = try value()
    guard value == wanted else { throw Unexpected(description: "\(file):\(line): \(value) instead of \(wanted)") }
}

/// The error that the body throws; no error ends the claim.
@discardableResult
func expectError(file: String = #fileID, line: Int = #line, _ body: () throws -> Void) throws -> NSError {
    do { try body() } catch { return error as NSError }
    throw Unexpected(description: "\(file):\(line): no error was thrown")
}
