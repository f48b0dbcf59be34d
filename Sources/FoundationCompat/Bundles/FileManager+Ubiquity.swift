import Foundation

extension FileManager {
    /// Whose iCloud the documents are in: nil, as on Apple's platforms where nobody is signed in (Apple: `ubiquityIdentityToken`).
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }

    /// The folder of an iCloud container: nil, as on Apple's platforms without iCloud (Apple:
    /// `url(forUbiquityContainerIdentifier:)`).
    public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? { nil }
}

extension NSNotification.Name {
    /// Posted on Apple's platforms when somebody else signs in to iCloud; never here (Apple: `NSUbiquityIdentityDidChange`).
    public static let NSUbiquityIdentityDidChange = NSNotification.Name("NSUbiquityIdentityDidChangeNotification")
}
