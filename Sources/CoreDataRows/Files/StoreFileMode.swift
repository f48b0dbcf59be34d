import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Makes files that belong to a store: from the moment that they exist, only users who may read the store may read
/// them.
package enum StoreFileMode {
    /// The attributes of a folder that only its owner may look into.
    package static var privateFolder: [FileAttributeKey: Any] { [.posixPermissions: 0o700] }

    /// Who may do what with a file; nil where there is none.
    private static func mode(of file: URL) -> mode_t? {
        var status = stat()
        return stat(file.path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Makes an empty file with the mode of another one; that which new files have where there is no such file.
    ///
    /// - Throws: Cocoa's code for it; `fileWriteFileExists` where something is there already.
    package static func create(_ file: URL, like store: URL) throws { close(try open(file, like: store)) }

    private static func open(_ file: URL, like store: URL) throws -> Int32 { try open(file, mode(of: store)) }

    private static func open(_ file: URL, _ mode: mode_t?) throws -> Int32 {
        // What the umask takes away comes back only once the file is there; it never has more.
        let descriptor = openFile(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
        guard descriptor >= 0 else { throw failure(file) }
        if let mode, fchmod(descriptor, mode) != 0 {
            let error = failure(file)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Writes a new file through to the disk, with the mode of another one.
    package static func write(_ data: Data, to file: URL, like store: URL) throws {
        let handle = FileHandle(fileDescriptor: try open(file, like: store), closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            // The failure that is thrown is the one that matters.
            try? FileManager.default.removeItem(at: file)
            throw naming(error, file)
        }
    }

    /// Copies a regular file with its mode. Where it has holes the copy has them too: a few bytes in a file that someone made of
    /// terabytes don't fill the disk.
    ///
    /// - Parameter store: takes away from the mode what it doesn't have itself, where it is there.
    package static func copy(_ source: URL, to target: URL, within store: URL? = nil) throws {
        let origin = try FileHandle(forReadingFrom: source)
        // It was only read.
        defer { try? origin.close() }
        let narrowed = mode(of: source).map { mode in mode & (store.flatMap(Self.mode(of:)) ?? mode) }
        let handle = FileHandle(fileDescriptor: try open(target, narrowed), closeOnDealloc: true)
        do {
            try copyData(from: origin, to: handle)
            try handle.close()
        } catch {
            // The failure that is thrown is the one that matters.
            try? FileManager.default.removeItem(at: target)
            throw naming(error, target)
        }
    }

    private static func copyData(from origin: FileHandle, to copy: FileHandle) throws {
        /// Where the next data begins, or the next hole; these are Linux' own, which the C library's module may not show.
        func place(_ kind: Int32, from offset: UInt64) -> UInt64? {
            let place = lseek(origin.fileDescriptor, off_t(offset), kind)
            return place < 0 ? nil : UInt64(place)
        }
        let (nextData, nextHole): (Int32, Int32) = (3, 4)
        let size = try origin.seekToEnd()
        try copy.truncate(atOffset: size)
        var offset: UInt64 = 0
        while offset < size {
            guard let start = place(nextData, from: offset) ?? (errno == ENXIO ? nil : offset) else { return }
            let end = min(size, place(nextHole, from: start) ?? size)
            guard end > start else { return }
            try origin.seek(toOffset: start)
            try copy.seek(toOffset: start)
            offset = start
            while offset < end {
                let count = Int(min(1 << 20, end - offset))
                guard let part = try origin.read(upToCount: count), !part.isEmpty else { return }
                try copy.write(contentsOf: part)
                offset += UInt64(part.count)
            }
        }
    }

    /// Makes a folder, if it doesn't exist, that users who may read a store may list.
    package static func createFolder(_ folder: URL, like store: URL) throws {
        let mode = mode(of: store).map { $0 | ($0 & 0o444) >> 2 | 0o700 }
        do { try Disk.makeFolder(folder, mode: mode) } catch { throw naming(error, folder) }
    }

    /// Gives a file the mode of another one.
    package static func set(_ file: URL, like store: URL) throws {
        if let mode = mode(of: store), chmod(file.path, mode) != 0 { throw failure(file) }
    }

    private static func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, flags, mode)
        #elseif canImport(Musl)
            Musl.open(path, flags, mode)
        #else
            Darwin.open(path, flags, mode)
        #endif
    }

    private static func failure(_ file: URL) -> any Error {
        naming(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO), file)
    }

    /// The error with the file and the system's words, and with the code that Foundation has for it when it writes a file
    /// itself: a program meets the same one whether a file couldn't be made or its folder.
    private static func naming(_ error: any Error, _ file: URL) -> any Error {
        let error = error as NSError
        let cause = systemsError(error)
        let code = cause.map(cocoaCode) ?? (error as? CocoaError)?.code ?? .fileWriteUnknown
        let words = cause.map { String(cString: strerror($0)) } ?? error.localizedDescription
        return NSError.describing(
            "\(file.path) can't be written: \(code == .fileWriteOutOfSpace ? "the disk is full" : words).",
            code: code.rawValue,
            userInfo: [NSFilePathErrorKey: file.path, NSUnderlyingErrorKey: error])
    }

    /// The code that swift-foundation gives for a failure of writing.
    private static func cocoaCode(_ cause: Int32) -> CocoaError.Code {
        switch cause {
        case ENOENT: .fileNoSuchFile
        case EPERM, EACCES: .fileWriteNoPermission
        case ENAMETOOLONG: .fileWriteInvalidFileName
        case ENOSPC, EDQUOT: .fileWriteOutOfSpace
        case EROFS: .fileWriteVolumeReadOnly
        case EEXIST: .fileWriteFileExists
        default: .fileWriteUnknown
        }
    }

    /// What the system said, where an error has it.
    private static func systemsError(_ error: NSError) -> Int32? {
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap(systemsError)
    }
}
