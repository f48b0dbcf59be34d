/// Prints objects one after the other, as a JSON array or as blocks of text.
struct RecordWriter {
    let isJSON: Bool
    private var count = 0

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    mutating func write(_ record: ObjectRecord) throws {
        let output = StandardOutput.shared
        if isJSON {
            try output.write((count == 0 ? "[\n" : ",\n") + record.json.text())
        } else {
            try output.write((count == 0 ? "" : "\n") + record.text + "\n")
        }
        count += 1
    }

    func finish() throws {
        guard isJSON else { return }
        try StandardOutput.shared.writeLine(count == 0 ? "[]" : "\n]")
    }
}
