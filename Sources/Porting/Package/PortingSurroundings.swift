/// What a source can't say by itself: what the rest of its package has.
package struct PortingSurroundings: Sendable {
    /// The modules that the package and its local dependencies have themselves, so that a target called `Combine`, `os` or
    /// `UIKit` is taken for what it is.
    package var modules: Set<String> = []
    /// The methods and properties that other sources of the target declare.
    var declarations = DeclarationTable()

    /// Whether a source that gets OpenCombine for Combine is to have what joins that with Core Data.
    var bridgesCombine = false

    package init(modules: Set<String> = []) {
        self.modules = modules
    }

    /// Whether Linux lacks a module, and the package has none of its name.
    func isMissing(_ module: String) -> Bool { AppleFramework.isMissing(module) && !modules.contains(module) }
}
