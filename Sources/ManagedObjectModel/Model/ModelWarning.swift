import Foundation
import Synchronization

/// What a program's developer should know of its models, and no caller is told: written to standard error, as Apple's
/// framework does, each text once.
package enum ModelWarning {
    private static let written = Mutex<Set<String>>([])

    /// Writes a text.
    package static func write(_ text: String) {
        guard written.withLock({ $0.insert(text).inserted }) else { return }
        FileHandle.standardError.write(Data("CoreData: warning: \(text)\n".utf8))
    }
}
