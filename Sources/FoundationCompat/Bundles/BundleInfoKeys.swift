// Keys of a bundle's information that Core Foundation declares on Apple's platforms, and that can't be had on Linux.

/// The key of a bundle's name (Apple: kCFBundleNameKey).
public let kCFBundleNameKey: String! = "CFBundleName"

/// The key of a bundle's identifier (Apple: kCFBundleIdentifierKey).
public let kCFBundleIdentifierKey: String! = "CFBundleIdentifier"

/// The key of a bundle's version (Apple: kCFBundleVersionKey).
public let kCFBundleVersionKey: String! = "CFBundleVersion"

/// The key of the name of a bundle's executable (Apple: kCFBundleExecutableKey).
public let kCFBundleExecutableKey: String! = "CFBundleExecutable"
