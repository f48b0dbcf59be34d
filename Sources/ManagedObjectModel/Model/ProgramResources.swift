import Foundation
import Synchronization

/// The folders of resources beside the program that belong to targets which the program was built from.
///
/// The Swift package manager lays the resources of each target into a folder of their own, and compiles the folder's whole
/// path into the target. Beside the program also lie folders of targets that it has no part of, and other files
/// that were put there; so a folder counts where the program, or a library that came with it, has such a path in it.
enum ProgramResources {
    private static let decided = Mutex<[String: Bool]>([:])

    /// The bundles with models that the program was built with, in the order of their names.
    static var bundles: [Bundle] {
        let folder = Bundle.main.bundleURL
        // A folder that can't be listed has nothing to offer; the main bundle is looked at in any case.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted().compactMap { name in
            let place = folder.appendingPathComponent(name)
            guard holdsModels(place), belongsToProgram(name) else { return nil }
            return Bundle(url: place)
        }
    }

    private static func holdsModels(_ folder: URL) -> Bool {
        // A folder that can't be listed has no models that could be read.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.contains { ModelResource.pathExtensions.contains(($0 as NSString).pathExtension) }
    }

    private static func belongsToProgram(_ name: String) -> Bool {
        decided.withLock { decided in
            if let known = decided[name] { return known }
            let isFound = ownImages.contains { image(at: $0, hasPathTo: name) }
            decided[name] = isFound
            return isFound
        }
    }

    /// The program's file, and those of the libraries in its folder that it has loaded.
    private static var ownImages: [String] {
        // Without such a link, as outside of Linux, the program is what it was called by.
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return CommandLine.arguments.first.map { [$0] } ?? []
        }
        let folder = (program as NSString).deletingLastPathComponent + "/"
        // Without it only the program's own file is known.
        let lines = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let mapped = lines.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return [program] + Set(mapped).filter { $0.hasPrefix(folder) && $0.hasSuffix(".so") }.sorted()
    }

    /// Whether a file has a text that is an absolute path which ends with that name.
    private static func image(at path: String, hasPathTo name: String) -> Bool {
        // An image that can't be read, as one that was removed while it runs, names no bundle.
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return false }
        let wanted = Array("/\(name)".utf8) + [0]
        return data.withUnsafeBytes { image in
            var start = image.startIndex
            while let slash = offset(of: UInt8(ascii: "/"), in: image, from: start) {
                start = slash + 1
                guard image.count - slash >= wanted.count,
                    image[slash..<slash + wanted.count].elementsEqual(wanted)
                else { continue }
                var first = slash
                while first > 0, image[first - 1] != 0 { first -= 1 }
                // The name alone, with nothing before it, is a text about such a folder.
                if first < slash, image[first] == UInt8(ascii: "/") { return true }
            }
            return false
        }
    }

    private static func offset(of byte: UInt8, in image: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = image.baseAddress, start < image.count,
            let found = memchr(base + start, Int32(byte), image.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
