#if DEBUG && canImport(Runtime)
    import CSwiftRuntime
    import Foundation
    import Runtime

    /// The program and the libraries that are loaded, as what finds functions and lines takes them.
    ///
    /// Not by `ImageMap.capture()`: it reads every file that is mapped, also those that other threads unmap meanwhile, as SQLite does
    /// with a store's shared memory, and such a read ends the program (seen with the Thread Sanitizer).
    struct LoadedImages {
        private struct Image {
            let path: String
            let start: UInt64
            let endOfCode: UInt64
            let buildID: [UInt8]
        }

        private var images: [Image] = []

        /// A map has a byte for how many there are, and a program rarely has a third of that.
        private static let maximumCount = 127

        /// Nil where the runtime doesn't understand what Swift documents as "Compact ImageMap Format".
        static func map() -> ImageMap? {
            var loaded = LoadedImages()
            withUnsafeMutablePointer(to: &loaded) { pointer in
                for_each_loaded_image({ $1?.assumingMemoryBound(to: LoadedImages.self).pointee.append($0) }, pointer)
            }
            do {
                let json = try JSONEncoder().encode([Data(loaded.encoded).base64EncodedString()])
                return try JSONDecoder().decode([ImageMap].self, from: json).first
            } catch {
                // A runtime of another version may have another format: then the message has the calls as addresses.
                return nil
            }
        }

        /// Called while the loader's lock is held: nothing more than copying is done.
        private mutating func append(_ image: UnsafePointer<loaded_image>?) {
            guard let image = image?.pointee, images.count < Self.maximumCount else { return }
            let buildID = image.build_id.map { Array(UnsafeBufferPointer(start: $0, count: image.build_id_size)) } ?? []
            images.append(
                Image(
                    path: String(cString: image.path), start: UInt64(image.start), endOfCode: UInt64(image.end_of_code),
                    buildID: buildID.count < 0x80 ? buildID : []))
        }

        private var encoded: [UInt8] {
            // Without its path the program's own functions have no names, and the message has the calls as addresses.
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
            // Version 0, addresses of 64 bits.
            return [0x02] + Self.counted("Linux") + [UInt8(images.count)]
                + images.sorted { $0.start < $1.start }.flatMap { Self.encoded($0, program: program) }
        }

        private static func encoded(_ image: Image, program: String) -> [UInt8] {
            let (start, size) = (bytes(image.start), bytes(image.endOfCode - image.start))
            return [UInt8((start.count - 1) << 3 | (size.count - 1))] + start + size + [UInt8(image.buildID.count)]
                + image.buildID + text(image.path.isEmpty ? program : image.path)
        }

        /// The highest first, without those that the sign of the first one fills in.
        private static func bytes(_ number: UInt64) -> [UInt8] {
            let all = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            let needed = Array(all.drop { $0 == 0 })
            return needed.first.map { $0 < 0x80 } == true || needed.count == 8 ? needed : [0] + needed
        }

        private static func counted(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }

        /// Pieces of up to 63 bytes, and a zero.
        private static func text(_ text: String) -> [UInt8] {
            var rest = Array(text.utf8)[...]
            var encoded: [UInt8] = []
            while !rest.isEmpty {
                let piece = rest.prefix(63)
                encoded += [UInt8(piece.count)] + piece
                rest = rest.dropFirst(piece.count)
            }
            return encoded + [0]
        }
    }
#endif
