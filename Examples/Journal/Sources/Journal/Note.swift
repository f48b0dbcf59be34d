import CoreData

/// A written entry. The model generates its properties ("Category/Extension"); the class is written by hand.
public class Note: Entry {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        createdAt = Date()
        id = UUID()
    }

    public override func willSave() {
        super.willSave()
        let count = Int32(text?.split(whereSeparator: \.isWhitespace).count ?? 0)
        if wordCount != count { wordCount = count }
    }
}
