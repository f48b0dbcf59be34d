import CRunProgram
import Foundation

/// A program that was run to its end, and what it wrote.
package struct ProgramRun: Sendable {
    package let ending: RunningProgram.Ending
    package let output: String
    /// Empty where errors are part of the output.
    package let errors: String

    package var succeeded: Bool { ending == .exit(0) }

    /// Its exit code, or that which a shell gives to one that was ended by a signal.
    package var exitCode: Int32 {
        switch ending {
        case .exit(let code): code
        case .signal(let number): 128 + number
        }
    }

    /// Runs a program, and waits for it.
    ///
    /// What it writes goes to files, not pipes: none of them can be full while another one is read, and programs that it leaves
    /// behind hold up nobody.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for where `PATH` says.
    ///   - folder: where it runs; nil for where this process does.
    ///   - input: what it reads.
    ///   - mergesErrors: whether its errors are part of the output.
    /// - Throws: ``RunningProgram/Failure`` where it can't be started.
    package init(
        _ program: String, _ arguments: [String] = [], in folder: URL? = nil, input: String = "",
        mergesErrors: Bool = false
    ) throws {
        let files = try (0..<3).map { _ in try Self.makeFile() }
        if !input.isEmpty {
            try files[0].write(contentsOf: Data(input.utf8))
            try files[0].seek(toOffset: 0)
        }
        let running = try RunningProgram(
            program, arguments, in: folder, input: .descriptor(files[0].fileDescriptor),
            output: .descriptor(files[1].fileDescriptor),
            errors: .descriptor(files[mergesErrors ? 1 : 2].fileDescriptor))
        ending = running.wait()
        output = try Self.text(of: files[1])
        errors = try Self.text(of: files[2])
    }

    private static func makeFile() throws -> FileHandle {
        let descriptor = run_program_file()
        guard descriptor >= 0 else { throw RunningProgram.Failure(description: "no file in memory can be made") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func text(of file: FileHandle) throws -> String {
        try file.seek(toOffset: 0)
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
