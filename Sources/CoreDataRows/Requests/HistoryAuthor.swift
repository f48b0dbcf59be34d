import Foundation

/// Who makes a save, as persistent history keeps it.
package struct HistoryAuthor: Sendable {
    /// `NSManagedObjectContext.transactionAuthor`.
    package var author: String?
    /// `NSManagedObjectContext.name`.
    package var contextName: String?
    package var processName: String
    /// Programs have no bundle here: their name stands for it, as history always has both.
    package var bundleIdentifier: String

    /// - Parameters:
    ///   - processName: this process, unless given.
    ///   - bundleIdentifier: this program's, unless given.
    package init(
        author: String? = nil, contextName: String? = nil, processName: String? = nil, bundleIdentifier: String? = nil
    ) {
        self.author = author
        self.contextName = contextName
        self.processName = processName ?? Self.processName
        self.bundleIdentifier = bundleIdentifier ?? Self.bundleIdentifier
    }

    private static let processName = ProcessInfo.processInfo.processName
    private static let bundleIdentifier = Bundle.main.bundleIdentifier ?? processName
}
