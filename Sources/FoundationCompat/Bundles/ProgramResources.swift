import Foundation
import Synchronization

/// The folders of resources beside the program that belong to targets which the program was built from.
///
/// The Swift package manager lays the resources of each target into a folder of their own, and compiles the folder's whole
/// path into the target. Beside the program also lie folders of targets that it has no part of, and other files
/// that were put there; so a folder counts where the program, or a library that came with it, has such a path in it.
package enum ProgramResources {
    /// What the package manager calls such folders, and what Xcode does.
    private static let endings = [".\(TargetBundle.pathExtension)", ".bundle"]
    /// Whether folders belong to the program, by their names. To find out takes a look through the program's whole file.
    private static let decided = Mutex<[String: Bool]>([:])

    /// The bundles that the program was built with, in the order of their names.
    ///
    /// - Parameter isWanted: asked first, as a look into the program's whole file takes longer than one into a folder.
    package static func bundles(where isWanted: (URL) -> Bool) -> [Bundle] {
        let folder = Bundle.main.bundleURL
        // A folder that can't be listed has nothing to offer; the main bundle is looked at in any case.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let wanted = names.filter { name in
            endings.contains(where: name.hasSuffix) && isWanted(folder.appendingPathComponent(name))
        }
        return belongingToProgram(wanted).sorted().compactMap { Bundle(url: folder.appendingPathComponent($0)) }
    }

    private static func belongingToProgram(_ names: [String]) -> [String] {
        decided.withLock { decided in
            let undecided = names.filter { decided[$0] == nil }
            if !undecided.isEmpty {
                let own = namesInImages
                for name in undecided { decided[name] = own.contains(name) }
            }
            return names.filter { decided[$0] == true }
        }
    }

    private static var namesInImages: Set<String> {
        ownImages.reduce(into: []) { names, image in names.formUnion(folderNames(inImageAt: image)) }
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

    /// The last parts of all texts in a file that are absolute paths of such folders.
    private static func folderNames(inImageAt path: String) -> Set<String> {
        // An image that can't be read, as one that was removed while it runs, names no folder.
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return [] }
        let endings = endings.map { Array($0.utf8) + [0] }
        return data.withUnsafeBytes { image in
            var names: Set<String> = []
            var start = image.startIndex
            while let dot = offset(of: UInt8(ascii: "."), in: image, from: start) {
                start = dot + 1
                let ending = endings.first {
                    image.count - dot >= $0.count && image[dot..<dot + $0.count].elementsEqual($0)
                }
                guard let ending else { continue }
                let end = dot + ending.count - 1
                var first = dot
                while first > 0, image[first - 1] != 0 { first -= 1 }
                let text = String(decoding: image[first..<end], as: UTF8.self)
                // The name alone, with nothing before it, is a text about such a folder.
                if text.hasPrefix("/") { names.insert((text as NSString).lastPathComponent) }
            }
            return names
        }
    }

    private static func offset(of byte: UInt8, in image: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = image.baseAddress, start < image.count,
            let found = memchr(base + start, Int32(byte), image.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
