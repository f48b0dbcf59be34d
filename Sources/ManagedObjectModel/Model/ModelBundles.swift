import Foundation
import Synchronization

/// The bundles that hold a program's models.
///
/// On Apple's platforms an app's models are in its main bundle. The Swift package manager gives the resources of each
/// target a bundle of their own, so the code that is generated for a target with models makes its bundle known.
/// Thread-safe.
package enum ModelBundles {
    private static let registered = Mutex<[@Sendable () -> Bundle]>([])

    /// Makes a bundle known. It's asked for when a model is looked for.
    package static func register(_ bundle: @escaping @Sendable () -> Bundle) {
        registered.withLock { $0.append(bundle) }
    }

    /// The main bundle, and those of the targets that the program consists of.
    package static var ofProgram: [Bundle] {
        var seen: Set<URL> = []
        let others = registered.withLock { $0 }.map { $0() }
        return ([.main] + others).filter { seen.insert($0.bundleURL.standardizedFileURL).inserted }
    }

    /// The bundles that are meant by an argument of Apple's kind.
    ///
    /// Nil is the main bundle (Apple: mergedModel(from:)), and here those of the targets belong to it. On Linux they are
    /// also what `Bundle.allBundles` would have, which is empty there, and `Bundle(for:)`, which is the main bundle.
    package static func meant(by bundles: [Bundle]?) -> [Bundle] {
        guard let bundles, !bundles.isEmpty else { return ofProgram }
        let main = Bundle.main.bundleURL.standardizedFileURL
        guard bundles.contains(where: { $0.bundleURL.standardizedFileURL == main }) else { return bundles }
        var seen: Set<URL> = []
        return (bundles + ofProgram).filter { seen.insert($0.bundleURL.standardizedFileURL).inserted }
    }
}
