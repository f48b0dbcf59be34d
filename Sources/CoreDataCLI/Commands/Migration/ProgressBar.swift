import Foundation

/// A line on standard error that says how far the work has come, where somebody sees it.
final class ProgressBar {
    private let isShown: Bool
    private var lastPercent = -1
    private static let width = 30

    init(isForced: Bool) { isShown = isForced || isatty(STDERR_FILENO) != 0 }

    func show(_ fraction: Double) {
        let percent = Int(max(0, min(1, fraction)) * 100)
        guard isShown, percent != lastPercent else { return }
        lastPercent = percent
        let filled = percent * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        FileHandle.standardError.write(Data("\r[\(bar)] \(percent) %".utf8))
    }

    /// Leaves the line; once is enough.
    func end() {
        guard isShown, lastPercent >= 0 else { return }
        lastPercent = -1
        FileHandle.standardError.write(Data("\n".utf8))
    }
}
