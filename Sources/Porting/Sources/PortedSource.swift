/// A source after porting.
package struct PortedSource {
    /// The text, the same as before where there was nothing to change.
    package let text: String
    /// What needs a hand.
    package let remarks: [PortingRemark]
    /// Whether the source uses Core Data, and so its target has to depend on it.
    package let usesCoreData: Bool
    /// Whether it has members that need the plugin.
    package let hasManagedMembers: Bool
}

extension PortedSource {
    /// Rewrites a source.
    ///
    /// - Parameter path: the file's path, for remarks.
    package init(porting text: String, path: String, style: PortingStyle) {
        self = SourcePorter.port(text, path: path, style: style)
    }
}
