// swift-tools-version: 6.1

import PackageDescription

/// What the code that the plugin writes needs of compilers before 6.3.
#if compiler(>=6.3)
    let pluginSettings: [SwiftSetting] = []
#else
    let pluginSettings: [SwiftSetting] = [.enableExperimentalFeature("SymbolLinkageMarkers")]
#endif

/// Where the system's libraries are asked for: a Mac that lacks them would be told so, and needs none.
#if os(Linux)
    let (zlib, libpq): (String?, String?) = ("zlib", "libpq")
#else
    let (zlib, libpq): (String?, String?) = (nil, nil)
#endif

/// Packages of others are for Linux only, as what uses them is: on Apple's platforms nothing but the plugin and its tool is built, and
/// the package asks for no newer system there than any package does that declares none.
func onLinux(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(platforms: [.linux]))
}
let argumentParser = onLinux("ArgumentParser", of: "swift-argument-parser")
let grdb = onLinux("GRDB", of: "GRDB.swift")
let grdbSQLite = onLinux("GRDBSQLite", of: "GRDB.swift")
let logging = onLinux("Logging", of: "swift-log")
let swiftParser = onLinux("SwiftParser", of: "swift-syntax")
let swiftSyntax = onLinux("SwiftSyntax", of: "swift-syntax")

let package = Package(
    name: "OpenCoreData",
    // The oldest that Swift 6 builds for: a product may not ask for a newer system than the target that uses it.
    platforms: [.macOS(.v10_13), .macCatalyst(.v13), .iOS(.v12), .tvOS(.v12), .watchOS(.v4), .visionOS(.v1)],
    products: [
        .library(name: "CoreData", targets: ["CoreData"]),
        .library(name: "CoreDataStoreTesting", targets: ["CoreDataStoreTesting"]),
        // Only what depends on this one links libpq.
        .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
        .executable(name: "coredata", targets: ["CoreDataCLI"]),
        .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
        .executable(name: "coredata-bench", targets: ["CoreDataBenchmarks"]),
        .executable(name: "postgres-bench", targets: ["PostgreSQLBenchmarks"]),
        .executable(name: "tour", targets: ["Tour"]),
        // What Apple's modules `os` and `OSLog` have, for programs that log and lock by them. Never under these names: packages
        // that a program depends on ask `canImport(os)`, and would take it for Apple's.
        .library(name: "UnifiedLogging", targets: ["UnifiedLogging"]),
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "The tool opens stores in PostgreSQL databases, and links libpq.")
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        // The Foundation classes that Apple's platforms have and Linux lacks.
        .target(name: "FoundationCompat", dependencies: ["CByteSearch", "CMetatypes"]),
        // A fast search that the C library has, and whose name Swift can't see.
        .target(name: "CByteSearch"),
        // What an initialiser in a protocol's extension is called on, which Swift doesn't tell it.
        .target(name: "CMetatypes"),
        // Model descriptions and every model file.
        .target(name: "ManagedObjectModel", dependencies: ["FoundationCompat"]),
        // Raw DEFLATE for the model cache inside SQLite stores.
        .systemLibrary(name: "CZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"])]),
        // The one entry of the Swift runtime that Swift itself can't name.
        .target(name: "CSwiftRuntime"),
        // What a store is asked, and answers: layouts, pages of rows, keys, values, changes. No object graph, no store.
        .target(
            name: "CoreDataRows",
            dependencies: [
                "FoundationCompat", "ManagedObjectModel", "CSwiftRuntime",
                logging,
            ]),
        // Predicates and requests as SQL text and bindings. Pure: nothing is read or written, and no store is known.
        .target(name: "CoreDataSQL", dependencies: ["CoreDataRows", "FoundationCompat", "ManagedObjectModel"]),
        // Apple's file: schema, statements, rows, saves, history, migration in place, examination. No object graph.
        .target(
            name: "CoreDataSQLite",
            dependencies: [
                "CoreDataRows", "CoreDataSQL", "FoundationCompat", "ManagedObjectModel", "CSwiftRuntime", "CZlib",
                grdb,
                grdbSQLite,
            ]),
        // The object graph: container, coordinator, contexts, objects, results, custom stores, migration by manager.
        .target(
            name: "CoreData",
            dependencies: [
                "CoreDataRows", "CoreDataSQLite", "FoundationCompat", "ManagedObjectModel", "CSwiftRuntime",
            ]),
        // PostgreSQL's client library, Debian's.
        .systemLibrary(name: "CLibPQ", pkgConfig: libpq, providers: [.apt(["libpq-dev"])]),
        // Stores in PostgreSQL databases: schema, statements, rows, saves. One file of it knows the object graph, to register the
        // store class.
        .target(
            name: "CoreDataPostgreSQL",
            dependencies: [
                "CLibPQ", "CoreData", "CoreDataRows", "CoreDataSQL", "FoundationCompat", "ManagedObjectModel",
            ]),
        // The same work by libpq's functions and by the store. Its product is called `postgres-bench`.
        .executableTarget(
            name: "PostgreSQLBenchmarks", dependencies: ["CLibPQ", "CoreData", "CoreDataPostgreSQL"],
            path: "PostgreSQLBenchmarks"),
        .testTarget(
            name: "CoreDataPostgreSQLTests",
            dependencies: [
                "TestEnvironment", "CoreData", "CoreDataPostgreSQL", "CoreDataRows", "CoreDataSQL",
                "CoreDataStoreTesting",
                "FoundationCompat", "ManagedObjectModel", "RandomFetches", "RandomMigrations", "ServerWork",
                "ServerWriter", "TestSupport",
            ]),
        // What the tests of faults do to a server's store, and how what they did is noted.
        .target(name: "ServerWork", dependencies: ["CoreData"], path: "Tests/ServerWork"),
        // The same in a process that may be killed.
        .executableTarget(
            name: "ServerWriter", dependencies: ["CoreData", "CoreDataPostgreSQL", "ServerWork"],
            path: "Tests/ServerWriter"),
        // What Apple's modules `os` and `OSLog` have, over swift-log.
        .target(name: "CUnfairLock"),
        .target(
            name: "UnifiedLogging", dependencies: ["CUnfairLock", logging]),
        .testTarget(
            name: "UnifiedLoggingTests",
            dependencies: ["UnifiedLogging", logging]),
        // What every store must do, for authors of stores to run against theirs.
        .target(name: "CoreDataStoreTesting", dependencies: ["CoreData"]),
        .testTarget(
            name: "CoreDataStoreTestingTests",
            dependencies: ["TestEnvironment", "CoreDataStoreTesting", grdb]),
        // The command-line tool. Its product is called `coredata`.
        .executableTarget(
            name: "CoreDataCLI",
            dependencies: [
                "CoreData", "CoreDataRows", "FoundationCompat", "ModelCompiler", "Porting",
                .target(name: "CoreDataPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                argumentParser,
            ]),
        // The same work by SQLite's C interface, GRDB and this package. Its product is called `coredata-bench`.
        .executableTarget(
            name: "CoreDataBenchmarks",
            dependencies: [
                "CoreData",
                argumentParser,
                grdb,
                grdbSQLite,
            ],
            path: "Benchmarks", swiftSettings: pluginSettings, plugins: ["CoreDataModelPlugin"]),
        // What Xcode does at build time: compiled models, classes, bodies for @NSManaged.
        .target(
            name: "ModelCompiler",
            dependencies: [
                "CByteSearch", "FoundationCompat", "ManagedObjectModel",
                swiftSyntax,
                swiftParser,
            ]),
        // The executable that the plugin runs. A plugin can't be conditional: it is built on a Mac too, where Xcode does this
        // work. There it is made of its own few lines; `Scripts/lint-portable` keeps it so.
        .executableTarget(
            name: "ModelCompilerTool",
            dependencies: [.target(name: "ModelCompiler", condition: .when(platforms: [.linux]))]),
        .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["ModelCompilerTool"]),
        // What sources for Apple's platforms become on Linux.
        .target(
            name: "Porting",
            dependencies: [
                "ModelCompiler",
                swiftSyntax,
                swiftParser,
            ]),
        .testTarget(name: "FoundationCompatTests", dependencies: ["FoundationCompat", "TestSupport"]),
        .testTarget(name: "ManagedObjectModelTests", dependencies: ["ManagedObjectModel", "TestSupport"]),
        // What several targets of tests need: random numbers from a seed, folders that go, the package's own files.
        .target(name: "TestSupport", dependencies: ["CRunProgram"], path: "Tests/TestSupport"),
        // How another program is started, in C.
        .target(name: "CRunProgram", path: "Tests/CRunProgram"),
        // What the tests do in a process that may be killed or crash.
        .executableTarget(name: "StoreWriter", dependencies: ["CoreData"], path: "Tests/StoreWriter"),
        // What programs that others wrote do, a process for each claim, in the language mode that most of them are in.
        .executableTarget(
            name: "Idioms", dependencies: ["CoreData"], path: "Tests/Idioms",
            swiftSettings: pluginSettings + [.swiftLanguageMode(.v5)], plugins: ["CoreDataModelPlugin"]),
        .target(name: "Fuzzing", dependencies: ["CoreData"], path: "Tests/Fuzzing"),
        // What the processes of tests have in their environment: the check of queues, on and stopping, and no call stacks of those
        // that are meant to stop.
        .target(name: "TestEnvironment", path: "Tests/TestEnvironment"),
        // Models, objects and fetches at random, the same for every store that is compared with memory.
        .target(
            name: "RandomFetches", dependencies: ["CoreData", "FoundationCompat", "TestSupport"],
            path: "Tests/RandomFetches"),
        // Models, objects and changes of models at random, the same for every store that migrates.
        .target(
            name: "RandomMigrations", dependencies: ["CoreData", "ManagedObjectModel", "TestSupport"],
            path: "Tests/RandomMigrations"),
        // A database below a store, in a target of its own: the least that one has to be.
        .target(
            name: "TableEngine",
            dependencies: ["CoreDataRows", "FoundationCompat", "ManagedObjectModel"], path: "Tests/TableEngine"),
        .testTarget(
            name: "TableEngineTests",
            dependencies: ["TestEnvironment", "CoreData", "CoreDataStoreTesting", "TableEngine"]),
        // What the packages of a program add to Core Data's classes.
        .target(name: "ForeignExtensions", dependencies: ["CoreData"], path: "Tests/ForeignExtensions"),
        // Apart from the other tests, as every file of a module sees what one of them imports.
        .testTarget(
            name: "ForeignExtensionsTests", dependencies: ["TestEnvironment", "CoreData", "ForeignExtensions"]),
        .testTarget(
            name: "CoreDataTests",
            dependencies: [
                "TestEnvironment", "CoreData", "CoreDataRows", "CoreDataSQL", "CoreDataSQLite", "Fuzzing",
                "RandomFetches", "RandomMigrations", "StoreWriter", "TestSupport",
                grdb,
            ]),
        // What the README shows, and what `make demo` runs.
        .executableTarget(name: "Quickstart", dependencies: ["CoreData"], path: "Examples/Quickstart"),
        .executableTarget(name: "Tour", dependencies: ["CoreData"], path: "Examples/Tour"),
        // Stores of one's own, as Documentation/IncrementalStores.md explains them.
        .target(name: "StoreJSON", dependencies: ["CoreData"], path: "Examples/Stores/StoreJSON"),
        .target(name: "KeyValueStore", dependencies: ["CoreData", "StoreJSON"], path: "Examples/Stores/KeyValueStore"),
        .target(name: "WebStore", dependencies: ["CoreData", "StoreJSON"], path: "Examples/Stores/WebStore"),
        .testTarget(
            name: "KeyValueStoreTests", dependencies: ["TestEnvironment", "KeyValueStore", "CoreDataStoreTesting"]),
        .testTarget(name: "WebStoreTests", dependencies: ["TestEnvironment", "WebStore", "CoreDataStoreTesting"]),
        // Stores as authors outside of the package write them.
        .target(name: "ArchiveStore", dependencies: ["CoreData"], path: "Examples/Stores/ArchiveStore"),
        .testTarget(
            name: "ArchiveStoreTests", dependencies: ["TestEnvironment", "ArchiveStore", "CoreDataStoreTesting"]),
        .target(name: "DelimitedTextStore", dependencies: ["CoreData"], path: "Examples/Stores/DelimitedTextStore"),
        .testTarget(
            name: "DelimitedTextStoreTests",
            dependencies: ["TestEnvironment", "DelimitedTextStore", "CoreDataStoreTesting"]),
        .testTarget(
            name: "CoreDataCLITests",
            dependencies: [
                "TestEnvironment", "CoreDataCLI", "Quickstart", "TestSupport", "Tour",
                grdb,
            ]),
        .testTarget(
            name: "ModelCompilerTests", dependencies: ["TestEnvironment", "ModelCompiler", "CoreData", "TestSupport"]),
        .testTarget(name: "PortingTests", dependencies: ["Porting", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
