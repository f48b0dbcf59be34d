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
        /// The calls from the check to here.
        private static let ownCalls = 3

        /// A call of the program.
        struct Call {
            /// The file and line; the function where a program was built without lines.
            let place: String
            /// Where it returns to.
            let returnAddress: UInt?
        }

        /// The calls that a thread is in, which another one can search for the program's.
        struct Stack: Sendable {
            fileprivate let addresses: [Backtrace.Address]
            /// From each call on a few, to find their functions, and the call with the one that it returns to, to find its line: a
            /// stack is looked up as a whole, and lines take long. The last frame of each only says that there are more.
            fileprivate let parts: [Backtrace]
            fileprivate let pairs: [Backtrace]
        }

        /// The calls that this thread is in; nil where they can't be found out.
        static func stack() -> Stack? {
            // A place that can't be found out is left out of the message.
            guard let stack = try? Backtrace.capture(limit: maximumDepth, top: 0, images: images) else { return nil }
            let addresses = stack.frames.map(\.originalProgramCounter)
            var (parts, pairs): ([Backtrace], [Backtrace]) = ([], [])
            // In this function itself: closures would be calls of their own, which the offsets count.
            for offset in addresses.indices {
                // As above.
                guard let several = try? Backtrace.capture(limit: part + 1, offset: offset, top: 0, images: images),
                    let two = try? Backtrace.capture(limit: 2, offset: offset, top: 0, images: images)
                else { break }
                parts.append(several)
                pairs.append(two)
            }
            return Stack(addresses: addresses, parts: parts, pairs: pairs)
        }

        /// The innermost call that isn't in this package or in code that is generated for it.
        static func search(_ stack: Stack) -> Call? {
            let addresses = stack.addresses
            let known = passed.withLock { $0 }
            var offset = ownCalls + addresses.dropFirst(ownCalls).prefix(while: known.contains).count
            // Between the two may be functions of a library without lines, as XCTest's assertions are.
            var firstWithoutLine: Call?
            while offset < addresses.count {
                let own = ownFunctions(from: offset, stack)
                passed.withLock { $0.formUnion(addresses[offset..<min(offset + own, addresses.count)]) }
                offset += own
                guard offset < addresses.count, offset < stack.pairs.count,
                    let frames = stack.pairs[offset].symbolicated(
                        with: images, options: [.showInlineFrames, .showSourceLocations, .useSymbolCache])?.frames
                else { break }
                let returnAddress = UInt(addresses[offset])
                for symbol in frames.lazy.compactMap(\.symbol) {
                    if let location = symbol.sourceLocation {
                        if location.line > 0, !isOurs(location.path) {
                            return Call(place: "\(location.path):\(location.line)", returnAddress: returnAddress)
                        }
                    } else if firstWithoutLine == nil {
                        firstWithoutLine = Call(
                            place: "\(symbol.name) + \(symbol.offset)", returnAddress: returnAddress)
                    }
                }
                passed.withLock { _ = $0.insert(addresses[offset]) }
                offset += 1
            }
            return firstWithoutLine
        }

        /// How many of the next calls are this package's by the names of their functions, which are found much sooner than lines.
        private static func ownFunctions(from offset: Int, _ stack: Stack) -> Int {
            // Without names the lines are looked up, as for the program's own calls.
            guard offset < stack.parts.count,
                let frames = stack.parts[offset].symbolicated(with: images, options: [.useSymbolCache])?.frames
            else { return 0 }
            return frames.prefix(part).prefix { $0.symbol.map { isOwnFunction($0.name) } ?? false }.count
        }

        /// Whether that is the name of a function of this package; where in doubt it isn't.
        private static func isOwnFunction(_ name: String) -> Bool {
            name.prefixMatch(of: #/(closure #\d+ (\(.*\) -> .* )?in )*(\(extension in (\w+)\):|(\w+)\.)/#).map {
                ownModules.contains(String($0.output.4 ?? $0.output.5 ?? ""))
            } ?? false
        }

        private static let ownModules: Set<String> = [
            "CoreData", "CoreDataRows", "CoreDataSQL", "CoreDataSQLite", "FoundationCompat", "ManagedObjectModel",
        ]

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
