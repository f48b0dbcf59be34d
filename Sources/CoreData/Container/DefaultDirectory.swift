import Foundation

/// The folder for stores of programs that name none.
enum DefaultDirectory {
    static var url: URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
    }
}
