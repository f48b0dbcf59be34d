@_spi(Engine) import CoreDataRows
import Foundation
import Synchronization

/// The files with external values that nothing needs any more.
extension SQLiteFile {
    /// Removes the files of values that no row has any more. Where a reader still sees an older state of the store, whose rows may
    /// name them, they stay until a later save, or until the store is next opened.
    package func removeObsolete(_ files: [URL]) {
        let all = obsoleteFiles.withLock { waiting -> [URL] in
            defer { waiting = [] }
            return waiting + files
        }
        if all.isEmpty { return }
        do {
            try synchronizeLog()
            if try isReadInPresentStateOnly() {
                SQLiteExternalData.remove(all)
            } else {
                obsoleteFiles.withLock { $0 += all }
            }
        } catch {
            // The files stay where it isn't certain that no row names them after a power cut.
            CoreDataLog.write("\(url.path): the log can't be written through to the disk: \(error)", atLevel: 0)
        }
    }
}
