import FoundationCompat
import Foundation
import Testing

@Suite("A group of apps has a folder")
struct GroupContainerTests {
    @Test("which every program of the user gets by the group's name, and which is there")
    func folder() throws {
        let group = "group.org.example.\(UUID())"
        let folder = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group))
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(folder.lastPathComponent == group)
        var isFolder = false
        #expect(FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) && isFolder)
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group) == folder)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode.map { $0 & 0o077 } == 0)
    }

    @Test("A name that leads elsewhere has none", arguments: ["", "..", "a/b", "/etc"])
    func noFolder(name: String) {
        #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name) == nil)
    }

    @Test("Nobody is signed in to iCloud")
    func ubiquity() {
        #expect(FileManager.default.ubiquityIdentityToken == nil)
        #expect(FileManager.default.url(forUbiquityContainerIdentifier: nil) == nil)
    }
}
