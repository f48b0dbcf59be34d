@_spi(Engine) import CoreDataRows
import Foundation

/// What the files of a store look like from outside, found without SQLite and without changing anything.
struct SQLiteFileProbe {
    let url: URL
    /// As it was before anything was looked at.
    let state: SQLiteFileState
    let exists: Bool
    let size: Int
    /// Whether a connection, of this process or another, has the file open.
    let isInUse: Bool
    /// The first bytes of the file, up to 100: SQLite's header.
    let header: [UInt8]
    let hasWriteAheadLog: Bool
    let hasHotJournal: Bool

    private static let magic = Array("SQLite format 3\0".utf8)

    /// - Throws: an error for a directory, and for a file that can't be read.
    init(_ url: URL) throws {
        self.url = url
        try SQLiteSideFiles.check(url.path)
        state = SQLiteFileState(url)
        var status = stat()
        guard stat(url.path, &status) == 0 else {
            guard errno == ENOENT else { throw Self.unreadable(url, errno) }
            exists = false
            size = 0
            isInUse = false
            header = []
            hasWriteAheadLog = false
            hasHotJournal = false
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SQLiteStoreError.error(.open, "it is not a file", url: url)
        }
        exists = true
        size = Int(status.st_size)
        guard let (header, isInUse) = SQLiteFileLocks.inspect(url.path, count: 100) else {
            throw Self.unreadable(url, errno)
        }
        self.header = header
        self.isInUse = isInUse
        let files = SQLiteStoreFiles(url)
        hasWriteAheadLog = Self.size(of: files.log.path) > 0
        hasHotJournal = RegularFile.firstBytes(of: files.journal.path, count: 8) == SQLiteSideFiles.journalMagic
    }

    /// Why the file can't be a sound SQLite database, as far as its header tells; nil where it can be.
    var defect: NSError? {
        if !header.starts(with: Self.magic) {
            return SQLiteStoreError.error(
                .fileReadCorrupt, "file is not a database", url: url, sqliteCode: SQLiteStoreError.notADatabase)
        }
        guard header.count == 100, pageSize >= 512, pageSize & (pageSize - 1) == 0 else {
            return SQLiteStoreError.error(
                .fileReadCorrupt, "the database is damaged: its header is cut off or makes no sense", url: url,
                sqliteCode: SQLiteStoreError.corrupt)
        }
        // The count is valid where the header says so. A log or journal may hold what the file itself lacks.
        let isCountValid = number(at: 24) == number(at: 92)
        if isCountValid, !hasWriteAheadLog, !hasHotJournal, number(at: 28) * pageSize > size {
            return SQLiteStoreError.error(
                .fileReadCorrupt,
                "the database is truncated: it should have \(number(at: 28)) pages of \(pageSize) bytes, "
                    + "but the file has \(size) bytes", url: url, sqliteCode: SQLiteStoreError.corrupt)
        }
        return nil
    }

    private var pageSize: Int {
        let stored = Int(header[16]) << 8 | Int(header[17])
        return stored == 1 ? 65536 : stored
    }

    private func number(at offset: Int) -> Int {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func unreadable(_ url: URL, _ cause: Int32) -> NSError {
        let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(cause))
        let code: SQLiteStoreError.Code = cause == EACCES || cause == EPERM ? .fileReadNoPermission : .open
        return SQLiteStoreError.error(
            code, "it can't be read: \(String(cString: strerror(cause)))", url: url, underlying: underlying)
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether something beside the file has the form of one that SQLite leaves there: <https://www.sqlite.org/fileformat2.html>
    /// on logs and journals, <https://www.sqlite.org/walformat.html> on the index of a log.
    var hasSQLiteFileBeside: Bool {
        func begins(_ file: URL, _ magics: [[UInt8]]) -> Bool {
            guard let bytes = RegularFile.firstBytes(of: file.path, count: 8) else { return false }
            return magics.contains { bytes.starts(with: $0) }
        }
        let files = SQLiteStoreFiles(url)
        let version = withUnsafeBytes(of: UInt32(3_007_000)) { [UInt8]($0) }
        return hasHotJournal || begins(files.log, [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]])
            || begins(files.logIndex, [version])
    }
}
