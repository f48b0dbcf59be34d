import Foundation

extension Bundle {
    /// The bundle with the resources of the target that a class is declared in.
    ///
    /// An addition for Linux, which `coredata swift` and `coredata port` write for `Bundle(for:)`. On Apple's platforms that is
    /// the framework, app or test bundle that Xcode makes of the target. The package manager puts the resources of each target
    /// into a bundle beside the program, and Foundation on Linux gives the main bundle for every class, as this does for a
    /// class of a target without resources.
    public convenience init(forTargetOf aClass: AnyClass) {
        if let path = TargetBundles.path(of: aClass) {
            // The folder was looked at just now, and a bundle can be had of every folder.
            self.init(path: path)!
        } else {
            self.init(for: aClass)
        }
    }

    /// The bundles of the program: one that equals the main one, those with the resources of its targets, and those that Foundation knows.
    ///
    /// An addition for Linux, which `coredata swift` and `coredata port` write for `Bundle.allBundles`, where programs look for
    /// resources whose bundle they don't know, and which Foundation leaves empty there. The first one gives what lies beside the
    /// program alone, so that nobody who asks each of them finds the models of the targets twice.
    public static var bundlesOfProgram: [Bundle] {
        let known = [folderOfProgram] + ProgramResources.bundles { _ in true }
        return known + allBundles.filter { !known.contains($0) }
    }

    /// The main bundle without the models of the program's targets.
    package static let folderOfProgram = Bundle(path: Bundle.main.bundlePath) ?? .main

    /// The bundle's identifier, or what can stand for one: the name of the program for the main bundle, that of the folder for
    /// one of a target.
    ///
    /// An addition for Linux, which `coredata swift` and `coredata port` write for the `bundleIdentifier` of the main bundle and of
    /// those of classes: there it is always nil. Programs name stores, queues and logs by it.
    public var identifierOfProgram: String? {
        bundleIdentifier
            ?? (self == Bundle.main
                ? ProcessInfo.processInfo.processName : bundleURL.deletingPathExtension().lastPathComponent)
    }

    /// A resource, as values that are there (Apple: url(forResource:withExtension:)).
    ///
    /// What the main bundle lacks, the bundles of targets beside the program are searched for: Xcode puts the resources of an
    /// app's files into the app's main bundle, where programs look for them.
    public func url(forResource name: String, withExtension ext: String) -> URL? {
        let found: URL? = url(forResource: name as String?, withExtension: ext as String?)
        guard found == nil, self === Bundle.main else { return found }
        return TargetBundles.all.lazy.compactMap { $0.url(forResource: name as String?, withExtension: ext as String?) }
            .first
    }

    /// A resource, as values that are there (Apple: path(forResource:ofType:)); searched for as
    /// ``url(forResource:withExtension:)`` does.
    public func path(forResource name: String, ofType ext: String) -> String? {
        let found: String? = path(forResource: name as String?, ofType: ext as String?)
        guard found == nil, self === Bundle.main else { return found }
        return TargetBundles.all.lazy.compactMap { $0.path(forResource: name as String?, ofType: ext as String?) }.first
    }
}

/// A bundle that the package manager makes of a target's resources: `Package_Target.resources`, beside the program.
package struct TargetBundle: Sendable {
    static let pathExtension = "resources"

    /// The folder's name without its extension.
    private let name: String

    fileprivate init(folder: URL) { name = folder.deletingPathExtension().lastPathComponent }

    /// The bundle that a file lies in, if it is one of a target's.
    package init?(holding file: URL) {
        guard let folder = file.pathComponents.last(where: { $0.hasSuffix(".\(Self.pathExtension)") }) else {
            return nil
        }
        name = String(folder.dropLast(Self.pathExtension.count + 1))
    }

    /// Whether the bundle is that of the module that a class is declared in.
    package func isOfModule(of aClass: AnyClass) -> Bool {
        guard let module = Self.moduleName(of: aClass) else { return false }
        // The package's name may have underscores as well.
        return name.indices.contains { index in
            name[index] == "_" && Self.moduleName(ofTarget: name[name.index(after: index)...]) == module
        }
    }

    /// The module that declares a class, also one within an extension of another module's type.
    private static func moduleName(of aClass: AnyClass) -> Substring? {
        let name = String(reflecting: aClass)
        let mark = "(extension in "
        return name.hasPrefix(mark)
            ? name.dropFirst(mark.count).split(separator: ")").first : name.split(separator: ".").first
    }

    /// What the compiler calls a target's module: letters, digits and underscores stay.
    private static func moduleName(ofTarget name: Substring) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}

/// The bundles of all targets of the program.
private enum TargetBundles {
    /// In order of their names.
    static let all: [Bundle] = folders.compactMap { Bundle(path: $0.path) }

    private static let folders: [URL] = {
        // A folder that can't be listed has no bundles that could be read.
        let found = try? FileManager.default.contentsOfDirectory(
            at: Bundle.main.bundleURL, includingPropertiesForKeys: nil)
        return (found ?? []).filter { $0.pathExtension == TargetBundle.pathExtension }.sorted { $0.path < $1.path }
    }()

    /// The bundle of the module that a class belongs to.
    static func path(of aClass: AnyClass) -> String? {
        folders.first { TargetBundle(folder: $0).isOfModule(of: aClass) }?.path
    }
}
