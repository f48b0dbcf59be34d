import Foundation

/// Which of several versions of a model is the current one.
extension ModelLocation {
    /// The version that a `.xcdatamodeld` names in its `.xccurrentversion`; nil where it names none.
    static func currentSourceVersion(in url: URL, names: [String]) throws -> String? {
        guard names.contains(".xccurrentversion") else { return nil }
        let file = url.appendingPathComponent(".xccurrentversion")
        do {
            let list = try PropertyListNode.read(data(of: file)).dictionary
            return list?["_XCCurrentVersionName"]?.string.map { ($0 as NSString).deletingPathExtension }
        } catch let error as ModelFileError {
            throw error.located(in: file)
        }
    }

    /// The version that a `.momd` names in its `VersionInfo.plist`; nil where it names none.
    static func currentCompiledVersion(in url: URL, names: [String]) throws -> String? {
        guard names.contains("VersionInfo.plist") else { return nil }
        let file = url.appendingPathComponent("VersionInfo.plist")
        do {
            return try VersionInfo(data: data(of: file)).currentVersionName
        } catch let error as ModelFileError {
            throw error.located(in: file)
        }
    }

    /// The version that is named, the only one, or the one that has the bundle's name.
    static func choose(_ current: String?, among versions: [String: URL], in url: URL) throws -> String {
        if let current {
            guard versions[current] != nil else {
                throw ModelFileError(.malformed, "the current version \"\(current)\" is not in the bundle", in: url)
            }
            return current
        }
        if versions.count == 1, let only = versions.keys.first { return only }
        let ownName = url.deletingPathExtension().lastPathComponent
        guard versions[ownName] != nil else {
            let names = versions.keys.sorted().joined(separator: ", ")
            throw ModelFileError(.malformed, "nothing says which of these versions is current: \(names)", in: url)
        }
        return ownName
    }
}
