// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "Journal",
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
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
        // The plugin is of use without a model file as well.
        .testTarget(
            name: "JournalTests", dependencies: ["Journal"],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
    ]
)
