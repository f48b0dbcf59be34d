// Not on a Mac, whose oldest system that plugins are built for needn't have what is called here.
#if !os(macOS)
    import Foundation
    import PackagePlugin

    extension CoreDataModelPlugin {
        func buildCommands(context: PluginContext, target: any Target) throws -> [Command] {
            guard let target = target as? SwiftSourceModuleTarget else {
                Diagnostics.error("\(target.name) has no Swift sources, which CoreDataModelPlugin is for")
                return []
            }
            let tool = try context.tool(named: "ModelCompilerTool").url
            let folder = context.pluginWorkDirectoryURL
            let topmost = models(of: target)
            for (name, same) in Dictionary(grouping: topmost, by: \.baseName) where same.count > 1 {
                let paths = same.map(\.path).sorted().joined(separator: ", ")
                Diagnostics.error(
                    "\(target.name) has several models called \"\(name)\", which would be one resource: \(paths)")
                return []
            }
            let generated = topmost.map { folder.appending(path: "\($0.baseName)+CoreDataClasses.swift") }
            let own = target.sourceFiles(withSuffix: "swift").map(\.url)
            let sources = try listSources(of: target, own: own, generated: generated, folder: folder)
            let modelCommands = topmost.map {
                command(for: $0, module: target.moduleName, tool: tool, folder: folder)
            }
            let classCommands = zip(topmost, generated).map { model, classes in
                command(
                    forClassesOf: model, classes: classes, isOnly: topmost.count == 1, own: own, list: sources.list,
                    tool: tool)
            }
            let mappings = target.sourceFiles.map(\.url).filter { $0.pathExtension == "xcmappingmodel" }
            let mappingCommands = mappings.map { command(forMapping: $0, models: topmost, tool: tool, folder: folder) }
            let resources = topmost.map(resourceName(of:)) + mappings.map(resourceName(of:))
            let bodies = bodiesCommand(
                for: target, sources: sources, resources: resources,
                bundle: "\(context.package.displayName)_\(target.name).resources", tool: tool, folder: folder)
            return modelCommands + classCommands + mappingCommands + [bodies]
        }

        /// The models of a target, without the versions inside of bundles.
        private func models(of target: SwiftSourceModuleTarget) -> [URL] {
            target.sourceFiles.map(\.url).filter {
                ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension)
                    && $0.deletingLastPathComponent().pathExtension != "xcdatamodeld"
            }
        }

        /// What a model or mapping model is called once it is compiled.
        private func resourceName(of source: URL) -> String {
            let extensions = ["xcdatamodeld": "momd", "xcdatamodel": "mom", "xcmappingmodel": "cdm"]
            return "\(source.baseName).\(extensions[source.pathExtension] ?? source.pathExtension)"
        }

        private func command(forMapping mapping: URL, models: [URL], tool: URL, folder: URL) -> Command {
            let compiled = folder.appending(path: resourceName(of: mapping))
            return .buildCommand(
                displayName: "Compiling mapping model \(mapping.lastPathComponent)", executable: tool,
                arguments: [
                    "mapping", "--input", mapping.path, "--models", models.map(\.path).joined(separator: "\n"),
                    "--output",
                    compiled.path,
                ],
                inputFiles: [mapping] + files(in: mapping) + models + models.flatMap(files), outputFiles: [compiled])
        }

        private func command(for model: URL, module: String, tool: URL, folder: URL) -> Command {
            let compiled = folder.appending(path: resourceName(of: model))
            return .buildCommand(
                displayName: "Compiling model \(model.lastPathComponent)", executable: tool,
                arguments: [
                    "model", "--module", module, "--input", model.path, "--output", compiled.path,
                ],
                inputFiles: [model] + files(in: model), outputFiles: [compiled])
        }

        /// The sources count, as their extensions may override what only a class can.
        private func command(
            forClassesOf model: URL, classes: URL, isOnly: Bool, own: [URL], list: URL, tool: URL
        ) -> Command {
            .buildCommand(
                displayName: "Generating classes of model \(model.lastPathComponent)", executable: tool,
                arguments: [
                    "classes", "--input", model.path, "--output", classes.path, "--locations",
                    isOnly ? "directives" : "comments", "--sources", list.path,
                ],
                inputFiles: [model] + files(in: model) + own + [list], outputFiles: [classes])
        }

        /// Writes a list of the sources that a target consists of and depends on.
        ///
        /// - Returns: the list, and the files that are named in it.
        private func listSources(
            of target: SwiftSourceModuleTarget, own: [URL], generated: [URL], folder: URL
        ) throws -> (list: URL, files: [URL]) {
            var lines = own.map { "own\t\($0.path)" } + generated.map { "generated\t\($0.path)" }
            var inputs = own + generated
            for module in modules(usedBy: target) {
                let sources = module.sourceFiles(withSuffix: "swift").map(\.url)
                lines += sources.map { "module \(module.moduleName)\t\($0.path)" }
                inputs += sources
                // Its generated classes are no sources that this target could list.
                let models = models(of: module)
                lines += models.map { "model \(module.moduleName)\t\($0.path)" }
                inputs += models + models.flatMap(files)
            }
            // A file, as command lines of large packages would be too long.
            let list = folder.appending(path: "sources.txt")
            let text = lines.joined(separator: "\n")
            if (try? String(contentsOf: list, encoding: .utf8)) != text {
                try text.write(to: list, atomically: true, encoding: .utf8)
            }
            return (list, inputs)
        }

        private func bodiesCommand(
            for target: SwiftSourceModuleTarget, sources: (list: URL, files: [URL]), resources: [String],
            bundle: String, tool: URL, folder: URL
        ) -> Command {
            let output = folder.appending(path: "\(target.moduleName)+ManagedBodies.swift")
            // The folder is plugins/outputs/package/target/destination/plugin in that of all builds.
            let builds = (0..<6).reduce(folder) { parent, _ in parent.deletingLastPathComponent() }
            return .buildCommand(
                displayName: "Making bodies for @NSManaged in \(target.moduleName)", executable: tool,
                arguments: [
                    "bodies", "--module", target.moduleName, "--sources", sources.list.path, "--output", output.path,
                    "--resources", resources.sorted().joined(separator: "\n"), "--bundle", bundle, "--builds",
                    builds.path,
                ],
                inputFiles: sources.files + [sources.list], outputFiles: [output])
        }

        /// The modules that a target uses, those left out that Core Data itself consists of.
        private func modules(usedBy target: any Target) -> [SwiftSourceModuleTarget] {
            var found: [String: SwiftSourceModuleTarget] = [:]
            var pending: [any Target] = [target]
            while let current = pending.popLast() {
                for dependency in current.dependencies {
                    let targets: [any Target] =
                        switch dependency {
                        case .target(let target): [target]
                        case .product(let product) where product.name != "CoreData": product.targets
                        case .product: []
                        @unknown default: []
                        }
                    for case let module as SwiftSourceModuleTarget in targets where found[module.id] == nil {
                        found[module.id] = module
                        pending.append(module)
                    }
                }
            }
            return found.values.sorted { $0.moduleName < $1.moduleName }
        }

        /// The files that make up a model, so that a change to any of them counts. (The model as such is an input as well, or
        /// the package manager says that nobody handles it.)
        private func files(in model: URL) -> [URL] {
            let found = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isRegularFileKey])
            return (found?.compactMap { $0 as? URL } ?? []).filter {
                (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false
            }
        }
    }

    extension URL {
        /// The name without its extension.
        fileprivate var baseName: String { deletingPathExtension().lastPathComponent }
    }
#endif
