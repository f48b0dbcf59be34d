/// What a target needs of OpenCoreData.
package struct TargetNeeds: Sendable {
    /// The module `CoreData`.
    package var coreData = false
    /// The plugin: there are models to compile, or members without bodies.
    package var plugin = false

    package init(coreData: Bool = false, plugin: Bool = false) {
        self.coreData = coreData
        self.plugin = plugin
    }
}
