/// A source after porting.
package struct PortedSource {
    /// The text, the same as before where there was nothing to change.
    package let text: String
    /// What needs a hand.
    package let remarks: [PortingRemark]
    /// Whether the source uses Core Data, and so its target has to depend on it.
    package let usesCoreData: Bool
    /// Whether it has members that need the plugin.
    package let needsPlugin: Bool
    /// The stand-ins for Apple's modules that it imports.
    package var modules: Set<SubstituteModule> = []
    /// Whether nothing of it is compiled on Linux.
    package var isLeftOut = false
}

extension PortedSource {
    /// Rewrites a source.
    ///
    /// - Parameters:
    ///   - path: the file's path, for remarks.
    ///   - surroundings: what the rest of the package has.
    package init(
        porting text: String, path: String, style: PortingStyle, surroundings: PortingSurroundings = .init()
    ) {
        self = SourcePorter.port(text, path: path, style: style, surroundings: surroundings)
    }
}
