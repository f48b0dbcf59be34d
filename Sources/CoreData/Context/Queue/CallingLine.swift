#if DEBUG && canImport(Runtime)
    import Foundation
    import Runtime
    import Synchronization

    /// The source line of a program from which it has called this package.
    enum CallingLine {
        /// The libraries that were loaded when the first line was searched for.
        private static let images = ImageMap.capture()
        /// Where no line of the program is: each function that is looked up takes its time.
        private static let passed = Mutex<Set<Backtrace.Address>>([])
        private static let maximumDepth = 64
        /// How many functions are looked up at once.
        private static let part = 5
        /// The calls from ``CallSite`` to here.
        private static let ownCalls = 3

        /// The file and line of the innermost call that isn't in this package or in code that is generated for it; the function
        /// where a program was built without lines.
        static func search() -> String? {
            // A place that can't be found out is left out of the message.
            guard let stack = try? Backtrace.capture(limit: maximumDepth, top: 0, images: images) else { return nil }
            let addresses = stack.frames.map(\.originalProgramCounter)
            let known = passed.withLock { $0 }
            var offset = ownCalls + addresses.dropFirst(ownCalls).prefix(while: known.contains).count
            // Between the two may be functions of a library without lines, as XCTest's assertions are.
            var firstWithoutLine: String?
            while offset < addresses.count {
                // The last frame of a part says that there are more.
                guard let captured = try? Backtrace.capture(limit: part + 1, offset: offset, top: 0, images: images),
                    let frames = captured.symbolicated(
                        with: images, options: [.showInlineFrames, .showSourceLocations, .useSymbolCache])?.frames
                else { break }
                for symbol in frames.lazy.compactMap(\.symbol) {
                    if let location = symbol.sourceLocation {
                        if location.line > 0, !isOurs(location.path) { return "\(location.path):\(location.line)" }
                    } else {
                        firstWithoutLine = firstWithoutLine ?? "\(symbol.name) + \(symbol.offset)"
                    }
                }
                passed.withLock { $0.formUnion(addresses[offset..<min(offset + part, addresses.count)]) }
                offset += part
            }
            return firstWithoutLine
        }

        /// The folder that holds this package's targets.
        private static let sources =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/"

        private static func isOurs(_ path: String) -> Bool {
            let name = URL(fileURLWithPath: path).lastPathComponent
            // What is compiled from C may have a path from the package's folder.
            return path.hasPrefix(sources) || name == "CMetatypes.c" || path.contains("<compiler-generated>")
                || name == "contents"
                || name.hasSuffix("+ManagedBodies.swift") || name.hasSuffix("+CoreDataClasses.swift")
                || !path.contains("/")
        }
    }
#endif
