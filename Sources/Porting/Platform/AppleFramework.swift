/// A framework that Linux lacks, and the names by which a source shows that it needs it.
struct AppleFramework {
    private let names: Set<String>
    private let prefixes: [String]

    private init(names: Set<String> = [], prefixes: [String] = []) {
        self.names = names
        self.prefixes = prefixes
    }

    /// Whether Linux lacks a module of this name.
    static func isMissing(_ module: String) -> Bool { known[module] != nil || others.contains(module) }

    /// Whether the names of a module are known here.
    static func isKnown(_ module: String) -> Bool { known[module] != nil }

    /// Whether a module of Apple's brings Foundation along, so that sources which import it alone use that as well.
    static func bringsFoundation(_ module: String) -> Bool { isMissing(module) && !withoutFoundation.contains(module) }

    /// Whether one of the names that a source says comes from the framework. False for a framework whose names aren't
    /// known here: then the import goes, and the compiler finds what is left.
    static func isUsed(_ module: String, by names: Set<String>) -> Bool {
        guard let framework = known[module] else { return false }
        return names.contains { name in
            framework.names.contains(name) || framework.prefixes.contains { isPrefix($0, of: name) }
        }
    }

    /// Whether a name is a prefix and a word: "UIView", and not "UID".
    private static func isPrefix(_ prefix: String, of name: String) -> Bool {
        guard name.hasPrefix(prefix), name.count > prefix.count + 1 else { return false }
        let rest = name.dropFirst(prefix.count)
        return rest.first?.isUppercase == true && rest.dropFirst().first?.isLowercase == true
    }

    private static let appKit: Set<String> = [
        "NSApplication", "NSApp", "NSView", "NSWindow", "NSViewController", "NSWindowController", "NSTableView",
        "NSOutlineView", "NSCollectionView", "NSArrayController", "NSTreeController", "NSObjectController", "NSColor",
        "NSImage", "NSFont", "NSDocument", "NSPersistentDocument", "NSMenu", "NSMenuItem", "NSButton", "NSTextField",
        "NSAlert", "NSWorkspace", "NSEvent", "NSCell", "NSNib", "NSStoryboard", "NSOpenPanel", "NSSavePanel",
    ]

    /// Without those that `CoreData` has for managed objects: `objectWillChange` and what belongs to it.
    private static let combine: Set<String> = [
        "Publisher", "Publishers", "AnyPublisher", "Cancellable", "AnyCancellable", "Subscriber", "Subscribers",
        "Subscription", "Subscriptions", "Subject", "PassthroughSubject", "CurrentValueSubject", "Just", "Future",
        "Deferred", "Fail", "Published", "ObservableObject", "eraseToAnyPublisher", "publisher", "Record",
        "ConnectablePublisher", "combineLatest",
    ]

    private static let swiftUI: Set<String> = [
        "View", "App", "Scene", "State", "Binding", "StateObject", "ObservedObject", "EnvironmentObject", "Environment",
        "FetchRequest", "SectionedFetchRequest", "FetchedResults", "Text", "List", "NavigationView", "NavigationStack",
        "NavigationLink", "VStack", "HStack", "ZStack", "ForEach", "Button", "Image", "Color", "Preview",
        "PreviewProvider", "ViewModifier", "EnvironmentKey", "LocalizedStringKey",
    ]

    private static let known: [String: AppleFramework] = [
        "UIKit": AppleFramework(
            names: ["NSDiffableDataSourceSnapshot", "NSDiffableDataSourceSnapshotReference"], prefixes: ["UI"]),
        "AppKit": AppleFramework(names: appKit), "Cocoa": AppleFramework(names: appKit),
        "Combine": AppleFramework(names: combine), "SwiftUI": AppleFramework(names: swiftUI),
        "WatchKit": AppleFramework(prefixes: ["WK"]), "MapKit": AppleFramework(prefixes: ["MK", "CL"]),
        "CoreLocation": AppleFramework(prefixes: ["CL"]), "CloudKit": AppleFramework(prefixes: ["CK"]),
        "CoreSpotlight": AppleFramework(prefixes: ["CS"]), "StoreKit": AppleFramework(prefixes: ["SK"]),
        "Contacts": AppleFramework(prefixes: ["CN"]), "EventKit": AppleFramework(prefixes: ["EK"]),
        "HealthKit": AppleFramework(prefixes: ["HK"]), "WebKit": AppleFramework(prefixes: ["WK"]),
        "os": AppleFramework(
            names: ["Logger", "OSLog", "os_log", "OSSignposter", "OSAllocatedUnfairLock", "os_unfair_lock"]),
        "OSLog": AppleFramework(names: ["Logger", "OSLog", "os_log", "OSSignposter"]),
        "UniformTypeIdentifiers": AppleFramework(names: ["UTType", "UTTagClass"]),
        "UserNotifications": AppleFramework(prefixes: ["UN"]), "Photos": AppleFramework(prefixes: ["PH"]),
        "BackgroundTasks": AppleFramework(prefixes: ["BG"]), "AVFoundation": AppleFramework(prefixes: ["AV"]),
    ]

    private static let withoutFoundation: Set<String> = [
        "Accelerate", "Combine", "CoreGraphics", "Darwin", "ObjectiveC", "Security", "os",
    ]

    private static let others: Set<String> = [
        "Accelerate", "CoreGraphics", "CoreImage", "CryptoKit", "Darwin", "LocalAuthentication", "MobileCoreServices",
        "ObjectiveC", "QuartzCore", "Security", "SwiftData", "WidgetKit",
    ]
}
