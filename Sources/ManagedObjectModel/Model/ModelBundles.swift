import Foundation
import FoundationCompat
import Synchronization

/// The bundles that hold a program's models.
///
/// On Apple's platforms an app's models are in its main bundle. The Swift package manager gives the resources of each
/// target a bundle of their own, so the code that is generated for a target with models makes its bundle known; those of
/// targets without such code are found beside the program. Thread-safe.
package enum ModelBundles {
    private static let registered = Mutex<[@Sendable () -> Bundle]>([])

    /// Makes a bundle known. It's asked for when a model is looked for.
    package static func register(_ bundle: @escaping @Sendable () -> Bundle) {
        registered.withLock { $0.append(bundle) }
    }

    /// The main bundle, and those of the targets that the program consists of.
    package static var ofProgram: [Bundle] {
        let others = registered.withLock { $0 }.map { $0() }
        let found = ProgramResources.bundles(where: holdsModels)
        return unique([.main] + others + found + Bundle.allBundles + Bundle.allFrameworks)
    }

    private static func holdsModels(_ folder: URL) -> Bool {
        // A folder that can't be listed has no models that could be read.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.contains { ModelResource.pathExtensions.contains(($0 as NSString).pathExtension) }
    }

    /// The bundles that are meant by an argument of Apple's kind.
    ///
    /// Nil is the main bundle (Apple: mergedModel(from:)), and here those of the targets belong to it. On Linux they are
    /// also what `Bundle.allBundles` would have, which is empty there, and `Bundle(for:)`, which is the main bundle.
    package static func meant(by bundles: [Bundle]?) -> [Bundle] {
        guard let bundles, !bundles.isEmpty else { return ofProgram }
        guard bundles.contains(where: isMain) else { return bundles }
        return unique(bundles + ofProgram)
    }

    /// Whether a bundle is the program's own: on Linux that is `Bundle(for:)` of any class too.
    package static func isMain(_ bundle: Bundle) -> Bool { path(of: bundle) == path(of: .main) }

    private static func unique(_ bundles: [Bundle]) -> [Bundle] {
        var seen: Set<String> = []
        return bundles.filter { seen.insert(path(of: $0)).inserted }
    }

    private static func path(of bundle: Bundle) -> String { bundle.bundleURL.standardizedFileURL.path }
}
