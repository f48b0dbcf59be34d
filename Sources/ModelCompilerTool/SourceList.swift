#if canImport(ModelCompiler)
    import Foundation
    import ModelCompiler

    /// The sources of a target and of what it depends on, as the plugin lists them.
    struct SourceList {
        private(set) var own: [SourceText] = []
        private(set) var generated: [SourceText] = []
        private(set) var modules: [String: [SourceText]] = [:]

        init(contentsOf url: URL) throws {
            for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
                let parts = line.split(separator: "\t", maxSplits: 1)
                guard parts.count == 2 else {
                    throw ToolArguments.Failure(message: "\(url.path): the line \"\(line)\" is no source")
                }
                let path = String(parts[1])
                let source = { SourceText(path: path, text: try Self.text(at: path)) }
                switch parts[0] {
                case "own": own.append(try source())
                case "generated": generated.append(try source())
                case let role where role.hasPrefix("module "):
                    modules[String(role.dropFirst("module ".count)), default: []].append(try source())
                case let role where role.hasPrefix("model "):
                    let text = try GeneratedModelClasses(model: URL(fileURLWithPath: path)).buildFile(.comments)
                    modules[String(role.dropFirst("model ".count)), default: []].append(.init(path: path, text: text))
                case let role: throw ToolArguments.Failure(message: "\(url.path): \"\(role)\" is no role of a source")
                }
            }
        }

        /// The target's own sources alone, without those that may not be generated yet.
        static func own(in list: URL) throws -> [SourceText] {
            let role = "own\t"
            return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix(role) }
                .map { String($0.dropFirst(role.count)) }.map { .init(path: $0, text: try text(at: $0)) }
        }

        private static func text(at path: String) throws -> String {
            do {
                return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            } catch {
                throw ToolArguments.Failure(message: "\(path) can't be read: \(error.localizedDescription)")
            }
        }
    }
#endif
