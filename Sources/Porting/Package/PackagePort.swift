import Foundation

/// What porting a package changes.
package struct PackagePort {
    /// A file before and after.
    package struct Change {
        package let file: URL
        /// The path as seen from the package's folder.
        package let path: String
        package let before: String
        package let after: String
    }

    /// The files that change, in order.
    package private(set) var changes: [Change] = []
    /// What needs a hand, in order of files and lines.
    package private(set) var remarks: [PortingRemark] = []
    /// Whether the manifest is older than plugins are.
    package let hasOldManifest: Bool
    /// The folders of other packages that this one depends on.
    package let localDependencies: [URL]
    /// Whether something in the package uses Core Data.
    package private(set) var usesCoreData = false
    /// How many files nothing is compiled of on Linux, as they need what only Apple's platforms have.
    package private(set) var leftOutCount = 0

    /// Works out what to change; nothing is written.
    ///
    /// - Parameters:
    ///   - reference: where the manifest is to say that OpenCoreData is.
    package init(_ package: PackageFolder, reference: PackageReference, style: PortingStyle) throws {
        guard let manifestText = Self.text(of: package.manifest) else {
            throw PackageFolder.Failure(description: "\(package.manifest.path) can't be read as UTF-8")
        }
        let manifest = ManifestPorter(
            manifestText, path: Self.name(package.manifest, in: package, style: style))
        manifest.evaluate(in: package)
        hasOldManifest = manifest.isOld
        localDependencies = manifest.localDependencies.map {
            URL(fileURLWithPath: $0, relativeTo: package.url).standardizedFileURL
        }
        var needs: [String: TargetNeeds] = [:]
        var seen: Set<String> = []
        var surroundings = PortingSurroundings(
            modules: Set(manifest.targets.map(\.name)).union(Self.modules(of: localDependencies)))
        for target in manifest.targets {
            guard let folder = package.folder(of: target, among: manifest.targets) else { continue }
            var own = TargetNeeds(plugin: PackageFolder.hasModel(target, in: folder))
            if own.plugin, style == .overlay, manifest.ignoresGeneratedResources {
                remarks.append(
                    PortingRemark(
                        file: Self.name(package.manifest, in: package, style: style), line: 1,
                        message:
                            "a tools version before 5.7 leaves out what plugins make, so the program won't find the "
                            + "model of \(target.name): write swift-tools-version:5.9"))
            }
            let files = PackageFolder.sources(of: target, in: folder).filter { seen.insert($0.path).inserted }
            let texts = files.compactMap(Self.text)
            surroundings.declarations = Self.declarations(in: texts)
            surroundings.bridgesCombine = CombineBridge.isNeeded(by: texts)
            surroundings.addClasses(of: texts, models: PackageFolder.models(of: target, in: folder))
            for file in files {
                guard let ported = port(file, of: package, style: style, surroundings: surroundings) else { continue }
                // One of the files has it for all.
                if ported.modules.contains(.combine) { surroundings.bridgesCombine = false }
                own.coreData = own.coreData || ported.usesCoreData
                own.plugin = own.plugin || ported.needsPlugin
                own.modules.formUnion(ported.modules)
                leftOutCount += ported.isLeftOut ? 1 : 0
            }
            own.coreData = own.coreData || own.plugin
            own.plugin = own.plugin || own.coreData && texts.contains(where: ObjectiveCExtensions.areDeclared)
            usesCoreData = usesCoreData || own.coreData
            needs[target.name] = own
        }
        let after = manifest.ported(
            needs: needs, reference: reference, raisesToolsVersion: style == .portable)
        recordChange(after, for: package.manifest, before: manifestText, in: package)
        remarks += manifest.remarks
        if needs.isEmpty {
            remarks.append(
                PortingRemark(
                    file: Self.name(package.manifest, in: package, style: style), line: 1,
                    message: "no target with a folder of sources is found in the manifest"))
        }
        remarks.sort { ($0.file, $0.line) < ($1.file, $1.line) }
    }

    /// - Returns: nil for a file that is left as it is, since writing it back would change what it says.
    private mutating func port(
        _ file: URL, of package: PackageFolder, style: PortingStyle, surroundings: PortingSurroundings
    ) -> PortedSource? {
        let path = Self.name(file, in: package, style: style)
        guard let text = Self.text(of: file) else {
            remarks.append(
                PortingRemark(
                    file: path, line: 1, message: "the file can't be read as UTF-8 and is left as it is"))
            return nil
        }
        // The lines that are added end as the others do.
        let endings = Self.lineEndings(of: text)
        let source = endings == "\n" ? text : text.replacingOccurrences(of: endings, with: "\n")
        let ported = PortedSource(porting: source, path: path, style: style, surroundings: surroundings)
        let after =
            endings == "\n" ? ported.text : ported.text.replacingOccurrences(of: "\n", with: endings)
        recordChange(after, for: file, before: text, in: package)
        remarks += ported.remarks
        return ported
    }

    /// The modules of packages in folders, and of those that they depend on in the same way.
    private static func modules(of folders: [URL]) -> Set<String> {
        var names: Set<String> = []
        var seen: Set<String> = []
        var pending = folders
        while let folder = pending.popLast() {
            // A folder that is no package, or can't be read, has no modules to know; the build says that it is missing.
            guard seen.insert(folder.path).inserted, let package = try? PackageFolder(folder),
                let text = text(of: package.manifest)
            else { continue }
            let manifest = ManifestPorter(text, path: package.manifest.path)
            manifest.evaluate(in: package)
            names.formUnion(manifest.targets.map(\.name))
            pending += manifest.localDependencies.map {
                URL(fileURLWithPath: $0, relativeTo: package.url).standardizedFileURL
            }
        }
        return names
    }

    /// What the sources of a target declare that others of them may refer to.
    private static func declarations(in sources: [String]) -> DeclarationTable {
        var all = DeclarationTable()
        for source in sources { all.add(DeclarationTable(of: source)) }
        return all
    }

    /// How many lines need a hand: those that the remarks are about.
    package var lineCountByHand: Int {
        Set(remarks.filter { !$0.message.hasSuffix(SourcePorter.leftOut) }.map { "\($0.file):\($0.line)" }).count
    }

    /// What ends every line; where lines differ, what a line has at least.
    private static func lineEndings(of text: String) -> String {
        let bytes = text.utf8
        let lines = bytes.count { $0 == UInt8(ascii: "\n") }
        let pairs = zip(bytes, bytes.dropFirst()).count {
            $0 == UInt8(ascii: "\r") && $1 == UInt8(ascii: "\n")
        }
        return pairs > 0 && pairs == lines ? "\r\n" : "\n"
    }

    private mutating func recordChange(
        _ after: String, for file: URL, before: String, in package: PackageFolder
    ) {
        guard after != before else { return }
        changes.append(
            Change(file: file, path: package.relativePath(file), before: before, after: after))
    }

    /// How a file is called: people see it from the package's folder, compilers need all of its path.
    private static func name(_ file: URL, in package: PackageFolder, style: PortingStyle) -> String {
        style == .overlay ? file.path : package.relativePath(file)
    }

    private static func text(of file: URL) -> String? {
        // Foundation's initializers take a byte order mark away.
        (try? Data(contentsOf: file)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The changes as a diff.
    package var diff: String {
        changes.sorted { $0.path < $1.path }.map {
            UnifiedDiff.text(from: $0.before, to: $0.after, path: $0.path)
        }
        .joined()
    }

    /// Writes the changes.
    package func write() throws {
        for change in changes { try Data(change.after.utf8).write(to: change.file, options: .atomic) }
    }
}
