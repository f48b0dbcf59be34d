import CByteSearch
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
                let images = ownImages.compactMap { image in
                    // An image that can't be read, as one that was removed while it runs, names no folder.
                    try? Data(contentsOf: URL(fileURLWithPath: image), options: .alwaysMapped)
                }
                for name in undecided { decided[name] = images.contains { $0.hasPath(endingIn: name) } }
            }
            return names.filter { decided[$0] == true }
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
}

extension Data {
    /// Whether there is a text, as compilers lay them down, that is the absolute path of a folder of this name.
    fileprivate func hasPath(endingIn name: String) -> Bool {
        let ending = Array("/\(name)".utf8) + [0]
        return withUnsafeBytes { image in
            var start = 0
            while let offset = image.offset(of: ending, from: start) {
                var first = offset
                while first > 0, image[first - 1] != 0 { first -= 1 }
                // What stands there may also be a part of a longer text about such a folder.
                if image[first] == UInt8(ascii: "/") { return true }
                start = offset + ending.count
            }
            return false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where bytes are found, by the C library: its search leaps, where one in a program that isn't optimised takes most of a second
    /// for the file of a program.
    fileprivate func offset(of bytes: [UInt8], from start: Int) -> Int? {
        guard let baseAddress, start < count,
            let found = find_bytes(baseAddress + start, count - start, bytes, bytes.count)
        else { return nil }
        return found - baseAddress
    }
}
