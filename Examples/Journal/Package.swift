// swift-tools-version: 6.1

import PackageDescription

// What the plugin writes needs this of compilers before 6.3. A package that is built with 6.3 alone leaves it out.
#if compiler(>=6.3)
    let settings: [SwiftSetting] = []
#else
    let settings: [SwiftSetting] = [.enableExperimentalFeature("SymbolLinkageMarkers")]
#endif

let package = Package(
    name: "Journal",
    // What the sources ask for on a Mac; OpenCoreData itself asks for nothing newer than 10.13.
    platforms: [.macOS(.v13)],
    products: [.library(name: "Journal", targets: ["Journal"])],
    dependencies: [
        // A package of yours says: .package(url: "https://github.com/OWNER/OpenCoreData", from: "0.1.0")
        .package(name: "OpenCoreData", path: "../..")
    ],
    targets: [
        .target(
            name: "Journal",
            dependencies: [
                .product(name: "CoreData", package: "OpenCoreData", condition: .when(platforms: [.linux]))
            ],
            swiftSettings: settings, plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        // The plugin is of use without a model file as well.
        .testTarget(
            name: "JournalTests", dependencies: ["Journal"],
            swiftSettings: settings, plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
    ]
)
