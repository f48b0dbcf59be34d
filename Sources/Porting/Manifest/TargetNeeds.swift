/// What a target needs of OpenCoreData.
package struct TargetNeeds: Sendable {
    /// The module `CoreData`.
    package var coreData = false
    /// The plugin: there are models to compile, or members without bodies.
    package var plugin = false
    /// The stand-ins for Apple's modules.
    package var modules: Set<SubstituteModule> = []

    package init(coreData: Bool = false, plugin: Bool = false, modules: Set<SubstituteModule> = []) {
        self.coreData = coreData
        self.plugin = plugin
        self.modules = modules
    }

    /// Whether the target needs nothing.
    var isEmpty: Bool { !coreData && !plugin && modules.isEmpty }
}
