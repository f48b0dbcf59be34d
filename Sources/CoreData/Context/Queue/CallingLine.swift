#if DEBUG && canImport(Runtime)
    import Foundation
    import Runtime
    import Synchronization

    /// The source line of a program from which it has called this package.
    enum CallingLine {
        /// The libraries that were loaded when the first line was searched for.
        private static let images = LoadedImages.map()
        private static let architecture = images.flatMap { images in
            // Without it nothing can be looked up, and the message has the calls as addresses.
            (try? Backtrace.capture(limit: 1, images: images))?.architecture
        }
        /// Where no line of the program is: each function that is looked up takes its time.
        private static let passed = Mutex<Set<UInt>>([])

        /// A call of the program.
        struct Call {
            /// The file and line; the function where a program was built without lines.
            let place: String
            /// Where it returns to.
            let returnAddress: UInt
        }

        /// The innermost call that isn't in this package or in code that is generated for it.
        ///
        /// - Parameter addresses: what the calls of a thread return to, the innermost one first. It may be another thread's.
        static func search(_ addresses: [UInt]) -> Call? {
            guard let images else { return nil }
            // Between the two may be functions of a library without lines, as XCTest's assertions are.
            var firstWithoutLine: Call?
            for address in addresses where !passed.withLock({ $0.contains(address) }) {
                // What can't be looked up is left out.
                guard let call = backtrace(of: address) else { break }
                // Names are found much sooner than lines.
                let names = call.symbolicated(with: images, options: [.useSymbolCache])?.frames ?? []
                let isOwn = names.first?.symbol.map { isOwnFunction($0.name) } ?? false
                let options: Backtrace.SymbolicationOptions = [
                    .showInlineFrames, .showSourceLocations, .useSymbolCache,
                ]
                let frames = isOwn ? [] : call.symbolicated(with: images, options: options)?.frames ?? []
                for symbol in frames.lazy.compactMap(\.symbol) {
                    if let location = symbol.sourceLocation {
                        if location.line > 0, !isOurs(location.path) {
                            return Call(place: "\(location.path):\(location.line)", returnAddress: address)
                        }
                    } else if firstWithoutLine == nil {
                        firstWithoutLine = Call(place: "\(symbol.name) + \(symbol.offset)", returnAddress: address)
                    }
                }
                passed.withLock { _ = $0.insert(address) }
            }
            return firstWithoutLine
        }

        /// One call as what can be looked up.
        ///
        /// Only the thread itself can capture its calls, and to do it for each takes long, so this is read from what Swift documents as
        /// an encoded backtrace ("Compact Backtrace Format"): addresses of 64 bits, the instruction of an absolute return address with
        /// eight bytes, and that of more calls that were left out.
        private static func backtrace(of address: UInt) -> Backtrace? {
            guard let architecture else { return nil }
            let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: UInt64(address) >> (8 * $0)) }
            let encoded = [
                "architecture": architecture,
                "backtrace": Data([0x02, 0x2F] + bytes + [0x01]).base64EncodedString().filter { $0 != "=" },
            ]
            // Where it can't be read, the message has the calls as addresses.
            return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(encoded))
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
