import Dispatch
import Foundation

/// Calls a handler when one of certain files in a folder is written, made or replaced.
///
/// On Linux the kernel reports it (inotify). Elsewhere, and where the kernel's watches are used up, the handler is
/// called once a second instead.
final class FolderEvents {
    private var source: (any DispatchSourceProtocol)?

    /// - Parameter handler: is called on the queue.
    init(_ folder: URL, names: Set<String>, queue: DispatchQueue, handler: @escaping () -> Void) {
        source = Self.kernelEvents(folder, names, queue, handler) ?? Self.timer(queue, handler)
        source?.activate()
    }

    /// Ends the events. To be called on the queue.
    func stop() {
        source?.cancel()
        source = nil
    }

    deinit { source?.cancel() }

    private static func timer(_ queue: DispatchQueue, _ handler: @escaping () -> Void) -> any DispatchSourceProtocol {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
        timer.setEventHandler(handler: handler)
        return timer
    }

    #if os(Linux)
        private static func kernelEvents(
            _ folder: URL, _ names: Set<String>, _ queue: DispatchQueue, _ handler: @escaping () -> Void
        ) -> (any DispatchSourceProtocol)? {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            let kinds = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
            guard inotify_add_watch(descriptor, folder.path, kinds) >= 0 else {
                close(descriptor)
                return nil
            }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler {
                if readNames(from: descriptor).contains(where: names.contains) { handler() }
            }
            source.setCancelHandler { close(descriptor) }
            return source
        }

        /// The names of the files that the waiting events are about.
        private static func readNames(from descriptor: Int32) -> Set<String> {
            var names: Set<String> = []
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            let headerSize = MemoryLayout<inotify_event>.size
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return names }
                var offset = 0
                buffer.withUnsafeBytes { bytes in
                    while offset + headerSize <= count {
                        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        let start = offset + headerSize
                        let end = min(start + Int(event.len), count)
                        names.insert(String(decoding: bytes[start..<end].prefix { $0 != 0 }, as: UTF8.self))
                        offset = end
                    }
                }
            }
        }
    #else
        private static func kernelEvents(
            _ folder: URL, _ names: Set<String>, _ queue: DispatchQueue, _ handler: @escaping () -> Void
        ) -> (any DispatchSourceProtocol)? { nil }
    #endif
}
