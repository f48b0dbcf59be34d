/// The bodies that a target's `@NSManaged` members lack, and the registration of its classes.
package struct ManagedBodies {
    private let module: String
    private let files: [ScannedFile]
    private let generated: [ScannedFile]
    private let index: TypeIndex
    private let bodies: BodyFile

    /// Scans sources.
    ///
    /// - Parameters:
    ///   - module: the name of the target's module.
    ///   - sources: the target's own files, without those that are generated.
    ///   - generated: the files that hold generated classes. They need no bodies, but other members have their types.
    ///   - dependencies: the files of modules that the target uses, by module. Of these only what the target's own
    ///     declarations name is looked at.
    ///   - isPorted: whether the compiler sees copies of the sources that the porting tool has written.
    package init(
        module: String, sources: [SourceText], generated: [SourceText] = [], dependencies: [String: [SourceText]] = [:],
        isPorted: Bool = false
    ) {
        self.module = module
        // Scanning takes time, and most targets have nothing to do with Core Data.
        let isConcerned =
            !generated.isEmpty
            || sources.contains { source in
                ["NSManaged", "NSEntityMigrationPolicy", "NSMigrationManager", "NSCoding", "NSSecureCoding", "@objc"]
                    .contains(where: source.text.contains)
            }
        files = isConcerned ? SourceScanner.scan(sources) : []
        self.generated = isConcerned ? SourceScanner.scan(generated) : []
        let own = ModuleTypes(module: module, files: files + self.generated)
        let scanner = DependencyScanner(own: own, files: files, dependencies: dependencies)
        index = TypeIndex(
            own: own, others: scanner.scan(),
            imports: Dictionary(files.map { ($0.path, Set($0.imports.map(\.name))) }) { $0.union($1) },
            sharedNames: scanner.sharedNames())
        bodies = BodyFile(files, index: index, isPorted: isPorted)
    }

    /// What couldn't be done.
    package var diagnostics: [CompilerDiagnostic] { bodies.diagnostics }

    /// The symbols that the text defines.
    package var symbols: [String] { bodies.symbols }

    /// Swift source, which is to be compiled with the target.
    package var text: String {
        let concerned = files.filter { file in
            !file.managed.isEmpty || !file.validators.isEmpty || file.complete.contains(where: isDeclaredProperty)
                || file.methods.contains { entry($0) != nil }
                || file.types.contains { archivedClass($0) != nil || namedClass($0) != nil }
        }
        let imports = concerned.flatMap(\.imports).filter { $0.name != module }
        return GeneratedSource.text(of: bodies.lines + registration.lines, isForBuild: true, imports: imports)
    }

    private var registration: RegistrationWriter {
        let spelling = TypeSpelling(index)
        // Properties by the path of their class.
        let managed = files.flatMap(\.managed).filter(Self.isVisibleProperty)
            .map { (name: $0.name, key: $0.objectiveCName, scope: $0.scope) }
        let objectiveC = files.flatMap(\.complete).filter(isDeclaredProperty)
        let complete = (generated.flatMap(\.complete) + objectiveC).map {
            (name: $0.name, key: String?.none, scope: $0.scope)
        }
        let properties = Dictionary(grouping: managed + complete) { index.own.path(of: $0.scope) }
        var writer = RegistrationWriter()
        for declared in files.flatMap(\.types) where declared.kind == .class {
            let path = index.own.path(of: declared.scope) + [declared.name]
            let conditions = declared.scope.conditions
            let names = Set([declared.name, declared.objectiveCName ?? declared.name]).sorted()
            if let policy = visibleClass(path, inheritingFrom: "NSEntityMigrationPolicy") {
                let entry = RegistrationWriter.ClassEntry(
                    spelling: spelling.spell(policy), names: names, conditions: conditions)
                writer.policies.append(entry)
                if hasInitializerOfItsOwn(path) { writer.makers.append(entry) }
            }
            if let archived = archivedClass(declared), let name = declared.objectiveCName {
                writer.archivedClasses.append(
                    .init(spelling: spelling.spell(archived), names: [name], conditions: conditions))
            }
            if let named = namedClass(declared), let name = declared.objectiveCName {
                writer.objectiveCNames.append(
                    .init(spelling: spelling.spell(named), names: [name], conditions: conditions))
            }
            guard let nominal = visibleManagedClass(path) else { continue }
            let name = spelling.spell(nominal)
            writer.classes.append(
                .init(spelling: name, names: names, conditions: conditions, isNested: path.count > 1))
            // The key paths of a subclass differ from those of its superclass to the same properties.
            for property in index.ancestry(of: path, in: index.own).flatMap({ properties[$0.path] ?? [] }) {
                writer.keyPaths.append(
                    .init(
                        spelling: name, property: property.name, key: property.key,
                        conditions: conditions + property.scope.conditions))
            }
        }
        // Of classes of one name the last counts: one that is inside of another type has no bare name on Apple's platforms.
        writer.classes = writer.classes.filter(\.isNested) + writer.classes.filter { !$0.isNested }
        for property in files.flatMap(\.complete) where isDeclaredProperty(property) {
            guard let owner = spellingOfClass(around: property.scope) else { continue }
            writer.properties.append(
                .init(spelling: owner, property: property.name, conditions: property.scope.conditions))
        }
        for method in files.flatMap(\.validators) where !method.access.isPrivate {
            guard visibleManagedClass(index.own.path(of: method.scope)) != nil,
                let owner = spellingOfClass(around: method.scope)
            else { continue }
            writer.validators.append(.init(spelling: owner, method: method.name, conditions: method.scope.conditions))
        }
        let methods = files.flatMap(\.methods).compactMap(entry)
        // Which one of several an argument is meant for can't be told without its type.
        let overloads = Dictionary(grouping: methods) { [$0.spelling, $0.method.name] + $0.method.labels }
        writer.methods = methods.filter { entry in
            let same = overloads[[entry.spelling, entry.method.name] + entry.method.labels] ?? []
            return Set(same.map(\.conditions)).count == same.count
        }
        return writer
    }

    /// Whether a class has an `init()` that isn't its framework superclass's: it, or a class between, declares it anew.
    private func hasInitializerOfItsOwn(_ path: [String]) -> Bool {
        for declaration in index.ancestry(of: path, in: index.own) {
            switch declaration.type.plainInitializer {
            case .own: return true
            case .overriding, .inherited: continue
            case .none: return false
            }
        }
        return false
    }

    /// A class whose objects archives on Apple's platforms have under the name in `@objc(Name)`; nil for any other.
    private func archivedClass(_ declared: DeclaredType) -> NominalType? {
        let protocols = declared.inherited.compactMap { ModuleTypes.path(writtenAs: $0, in: module).last }
        guard declared.kind == .class, declared.objectiveCName != nil,
            protocols.contains("NSCoding") || protocols.contains("NSSecureCoding")
        else { return nil }
        return visibleClass(index.own.path(of: declared.scope) + [declared.name], inheritingFrom: "NSObject")
    }

    /// A class with `@objc(Name)` that another file can name; nil for any other.
    private func namedClass(_ declared: DeclaredType) -> NominalType? {
        guard declared.kind == .class, declared.objectiveCName != nil else { return nil }
        return visibleClass(index.own.path(of: declared.scope) + [declared.name])
    }

    /// How a method is registered; nil for one that isn't found on Apple's platforms, or that nothing here calls.
    private func entry(_ method: ObjectiveCMethod) -> RegistrationWriter.MethodEntry? {
        let path = index.own.path(of: method.scope)
        guard !method.access.isPrivate, let owner = spellingOfClass(around: method.scope),
            method.isObjectiveC
                || index.ancestry(of: path, in: index.own).contains(where: { $0.type.hasObjectiveCMembers })
        else { return nil }
        let isCalled =
            method.isOfClass
            || Self.called.contains { path == [$0] || index.inherits(path, from: $0, in: index.own) }
        return isCalled ? RegistrationWriter.MethodEntry(spelling: owner, method: method) : nil
    }

    /// The classes whose methods keys and expressions call.
    private static let called = ["NSManagedObject", "NSEntityMigrationPolicy", "NSMigrationManager"]

    /// Whether key-value coding finds a property on Apple's platforms, as one that is Objective-C's.
    private func isDeclaredProperty(_ property: CompleteProperty) -> Bool {
        guard property.hasKeyPath, !property.access.isPrivate else { return false }
        if property.isObjectiveC { return true }
        let path = index.own.path(of: property.scope)
        return index.ancestry(of: path, in: index.own).contains { $0.type.hasObjectiveCMembers }
    }

    /// How another file spells the class that a member belongs to; nil where it can't.
    private func spellingOfClass(around scope: LexicalScope) -> String? {
        let path = index.own.path(of: scope)
        if let type = index.own[path] {
            let declaration = TypeIndex.Declaration(module: index.own, path: path, type: type)
            guard type.kind == .class, type.parameters.isEmpty, !index.access(declaration).isPrivate else { return nil }
            return index.nominal(declaration).map { TypeSpelling(index).spell($0) }
        }
        // An extension of another module's class, as only classes have members of Objective-C's.
        guard scope.levels.count == 1, case .extension(let extended, _, false, _)? = scope.levels.first else {
            return nil
        }
        return extended.trimmedDescription
    }

    private static func isVisibleProperty(_ declaration: ManagedDeclaration) -> Bool {
        guard case .property = declaration.form else { return false }
        return !declaration.access.isPrivate
    }

    /// The class at a path, where it is one of managed objects that another file can name.
    private func visibleManagedClass(_ path: [String]) -> NominalType? {
        visibleClass(path, inheritingFrom: "NSManagedObject")
    }

    /// The class at a path, where it inherits from one of the framework's and another file can name it.
    private func visibleClass(_ path: [String], inheritingFrom name: String) -> NominalType? {
        index.inherits(path, from: name, in: index.own) ? visibleClass(path) : nil
    }

    /// The class at a path, where another file can name it.
    private func visibleClass(_ path: [String]) -> NominalType? {
        guard let type = index.own[path], type.parameters.isEmpty else { return nil }
        let declaration = TypeIndex.Declaration(module: index.own, path: path, type: type)
        return index.access(declaration).isPrivate ? nil : index.nominal(declaration)
    }
}
