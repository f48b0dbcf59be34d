import Foundation

/// What is at a path: one of the kinds of model file, told by contents and not by name.
enum ModelLocation {
    /// A `.xcdatamodeld`: directories of versions, and the name of the current one.
    case sourceBundle(versions: [String: URL], current: String)
    /// A `.momd`: compiled versions, and the name of the current one.
    case compiledBundle(versions: [String: URL], current: String)
    /// A single file: XML, a `.mom`, or the `elements` of Xcode 3.
    case file(URL)

    /// No model of any size is larger; a file that is does not go into memory.
    private static let maximumFileSize = 256 << 20

    init(_ url: URL) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ModelFileError(.unreadable, "there is no such file", in: url)
        }
        guard isDirectory.boolValue else {
            self = .file(url)
            return
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw ModelFileError(.unreadable, "the directory cannot be read: \(error.localizedDescription)", in: url)
        }
        for single in ["contents", "elements"] where names.contains(single) {
            self = .file(url.appendingPathComponent(single))
            return
        }
        let sources = Self.versions(in: url, names: names, pathExtension: "xcdatamodel")
        if !sources.isEmpty {
            let current = try Self.currentSourceVersion(in: url, names: names)
            self = .sourceBundle(versions: sources, current: try Self.choose(current, among: sources, in: url))
            return
        }
        let compiled = Self.versions(in: url, names: names, pathExtension: "mom")
        guard !compiled.isEmpty else { throw ModelFileError(.malformed, "the directory holds no model", in: url) }
        let current = try Self.currentCompiledVersion(in: url, names: names)
        self = .compiledBundle(versions: compiled, current: try Self.choose(current, among: compiled, in: url))
    }

    /// The files or directories of the versions by their names, and the name of the current one, which is among them.
    var versions: (files: [String: URL], current: String) {
        switch self {
        case .sourceBundle(let versions, let current), .compiledBundle(let versions, let current):
            return (versions, current)
        case .file(let file):
            let directory = file.deletingLastPathComponent()
            let named = ["contents", "elements"].contains(file.lastPathComponent) ? directory : file
            let name = named.deletingPathExtension().lastPathComponent
            return ([name: file], name)
        }
    }

    /// The bytes of a file of reasonable size.
    static func data(of url: URL) throws -> Data {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw ModelFileError(.unreadable, "this is no regular file", in: url)
            }
            let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            guard size <= maximumFileSize else {
                throw ModelFileError(.tooLarge, "the file has more than \(maximumFileSize >> 20) megabytes", in: url)
            }
            return try Data(contentsOf: url)
        } catch let error as ModelFileError {
            throw error
        } catch {
            throw ModelFileError(.unreadable, "the file cannot be read: \(error.localizedDescription)", in: url)
        }
    }

    private static func versions(in url: URL, names: [String], pathExtension: String) -> [String: URL] {
        let matching = names.filter { ($0 as NSString).pathExtension == pathExtension }
        return Dictionary(
            matching.map { (($0 as NSString).deletingPathExtension, url.appendingPathComponent($0)) },
            uniquingKeysWith: { first, _ in first })
    }
}
