/// A part of Foundation that `import Foundation` brings along on Apple's platforms, and that is a module of its own on Linux.
enum FoundationPart: String, CaseIterable {
    case networking = "FoundationNetworking"
    case xml = "FoundationXML"
    /// The functions and types of C: the run loop's observers, `CFAbsoluteTimeGetCurrent()`.
    case coreFoundation = "CoreFoundation"
    /// `@Observable` and what belongs to it.
    case observation = "Observation"

    var module: String { rawValue }

    /// Whether Apple's platforms have a module of this name, too, so that its import needs no condition.
    var isOnApplePlatforms: Bool { self == .coreFoundation || self == .observation }

    /// Whether a name is one of that module.
    func contains(_ name: String) -> Bool {
        switch self {
        case .networking:
            name.hasPrefix("URLSession") || name.hasPrefix("HTTPCookie") || Self.networkingNames.contains(name)
        case .xml: Self.xmlNames.contains(name)
        case .coreFoundation: Self.coreFoundationPrefixes.contains(where: name.hasPrefix)
        case .observation: Self.observationNames.contains(name)
        }
    }

    /// Without `Observable` itself, which other libraries have a type of that name for: the attribute counts.
    private static let observationNames: Set<String> = [
        "@Observable", "ObservationIgnored", "ObservationTracked", "ObservationRegistrar", "withObservationTracking",
    ]

    private static let networkingNames: Set<String> = [
        "URLRequest", "NSURLRequest", "NSMutableURLRequest", "URLResponse", "HTTPURLResponse", "URLProtocol",
        "URLProtocolClient", "URLCache", "CachedURLResponse", "URLCredential", "URLCredentialStorage",
        "URLAuthenticationChallenge", "URLProtectionSpace",
    ]

    private static let xmlNames: Set<String> = [
        "XMLParser", "XMLParserDelegate", "XMLNode", "XMLDocument", "XMLElement", "XMLDTD", "XMLDTDNode",
    ]

    /// Without `kCFBundle`: the keys of a bundle's information are declared by `CoreData` on Linux.
    private static let coreFoundationPrefixes = [
        "CFAbsoluteTime", "CFTimeInterval", "CFRunLoop", "kCFRunLoop", "kCFAllocator", "CFAllocator", "CFUUID",
        "CFString", "kCFString", "CFArray", "CFDictionary", "CFData", "CFDate", "CFNumber", "CFBoolean", "kCFBoolean",
        "CFTypeRef", "CFGetTypeID", "CFOptionFlags", "CFIndex", "CFPreferences", "kCFPreferences", "CFTimeZone",
        "CFCalendar", "CFLocale", "CFBitVector",
    ]
}
