import Foundation

enum Output {
    /// Writes a line at once, so that it is out should the process end the next moment.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
