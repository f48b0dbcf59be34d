import Foundation
import PackagePlugin

/// Does for a target what Xcode does at build time: compiles its models and mapping models into its resources, generates the classes of
/// entities, and makes bodies for `@NSManaged` members.
@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        #if os(macOS)
            // Apple's tools do all of this themselves.
            return []
        #else
            return try buildCommands(context: context, target: target)
        #endif
    }
}
