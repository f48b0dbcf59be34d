import Foundation

/// The folders that Foundation names on Apple's platforms and not on Linux; where they are on a server,
/// `Documentation/Porting.md` tells. A Foundation that has them is preferred.
///
/// Those of the system's library and of all users, for which Linux has no place, aren't here. The user's library, which Linux hasn't
/// either, is the folder for application support (our choice: what programs put into it is of that kind).
extension URL {
    /// The user's documents (Apple: documentsDirectory).
    @_disfavoredOverload
    public static var documentsDirectory: URL { folder(.documentDirectory) }

    /// What programs keep for the user (Apple: applicationSupportDirectory).
    @_disfavoredOverload
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }

    /// The user's library (Apple: libraryDirectory).
    @_disfavoredOverload
    public static var libraryDirectory: URL { folder(.libraryOfUser) }

    /// What programs can make again (Apple: cachesDirectory).
    @_disfavoredOverload
    public static var cachesDirectory: URL { folder(.cachesDirectory) }

    /// The user's downloads (Apple: downloadsDirectory).
    @_disfavoredOverload
    public static var downloadsDirectory: URL { folder(.downloadsDirectory) }

    /// The user's desktop (Apple: desktopDirectory).
    @_disfavoredOverload
    public static var desktopDirectory: URL { folder(.desktopDirectory) }

    /// The user's films (Apple: moviesDirectory).
    @_disfavoredOverload
    public static var moviesDirectory: URL { folder(.moviesDirectory) }

    /// The user's music (Apple: musicDirectory).
    @_disfavoredOverload
    public static var musicDirectory: URL { folder(.musicDirectory) }

    /// The user's pictures (Apple: picturesDirectory).
    @_disfavoredOverload
    public static var picturesDirectory: URL { folder(.picturesDirectory) }

    private static func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
        guard let found = FileManager.default.urls(for: directory, in: .userDomainMask).first else {
            fatalError("Foundation knows no folder of the user's for search path \(directory.rawValue).")
        }
        return found
    }
}

extension FileManager.SearchPathDirectory {
    /// The user's library, as `coredata port` and `coredata swift` write `.libraryDirectory`: on Linux there is no such folder.
    public static var libraryOfUser: Self { .applicationSupportDirectory }
}
