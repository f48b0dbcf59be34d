import Foundation

/// Reads descriptions from keyed archives.
package enum CompiledModelReader {
    static func object(in data: Data) throws -> NSObject { NSObject() }
}
