import Foundation
import ModelCompiler
import SwiftParser

/// What a source can't say by itself: what the rest of its package has.
package struct PortingSurroundings: Sendable {
    /// The modules that the package and its local dependencies have themselves, so that a target called `Combine`, `os` or
    /// `UIKit` is taken for what it is.
    package var modules: Set<String> = []
    /// The methods and properties that other sources of the target declare.
    var declarations = DeclarationTable()

    /// The classes at the top level of the target's sources, and those that its models generate.
    var classes: Set<String> = []
    /// The overrides in extensions of classes that other sources of the target declare.
    var overrides: [ExtensionOverride] = []

    /// Whether a source that gets OpenCombine for Combine is to have what joins that with Core Data.
    var bridgesCombine = false

    package init(modules: Set<String> = []) {
        self.modules = modules
    }

    /// Whether Linux lacks a module, and the package has none of its name.
    func isMissing(_ module: String) -> Bool { AppleFramework.isMissing(module) && !modules.contains(module) }
}

extension PortingSurroundings {
    /// Takes over what classes a target has, and what its sources' extensions override of them.
    ///
    /// Most targets have no such override, nor a key path of its own class, and then the classes aren't looked for.
    mutating func addClasses(of sources: [String], models: [URL]) {
        (classes, overrides) = ([], [])
        let found = sources.map { countsOnLinux($0) ? ExtensionOverride.all(in: $0) : [] }
        guard !found.allSatisfy(\.isEmpty) || sources.contains(where: OwnKeyPaths.isConcerned) else { return }
        for (source, ownOverrides) in zip(sources, found) where source.contains("class") || !ownOverrides.isEmpty {
            let own = ClassNames.declared(in: Parser.parse(source: source))
            classes.formUnion(own)
            // Those of a class in the same file are moved into it.
            overrides += ownOverrides.filter { !own.contains($0.className) }
        }
        // A model that can't be read is told by the build.
        classes.formUnion(models.flatMap { (try? GeneratedModelClasses(model: $0))?.classesGeneratedByBuilds ?? [] })
        overrides.removeAll { !classes.contains($0.className) }
    }

    /// Whether a source isn't left out for what it needs of Apple's platforms.
    private func countsOnLinux(_ source: String) -> Bool {
        guard source.contains("override"), source.contains("extension") else { return false }
        return !PortedSource(porting: source, path: "", style: .overlay, surroundings: self).isLeftOut
    }
}
