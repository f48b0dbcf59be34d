import Foundation

/// Files of the package, for tests that read them.
enum PackageFiles {
    static let root = TestFiles.package

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
}
