import CoreData
import Foundation

/// A picture. Class and properties are written by hand ("Manual/None").
#if canImport(ObjectiveC)
    @objc(Photo)
#endif
public final class Photo: Entry {
    /// Which way is up.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public enum Orientation: Int16 {
        case up, right, down, left
    }

    /// The file's bytes, in whatever format the camera wrote.
    @NSManaged public var image: Data?
    /// Where the picture was published.
    @NSManaged public var link: URL?
    /// The exposure in seconds.
    @NSManaged public var exposure: Double
    /// What a print costs.
    @NSManaged public var price: NSDecimalNumber?
    /// Which way is up, stored as its raw value.
    @NSManaged public var orientation: Orientation
    /// What is to be seen, stored by a transformer.
    @NSManaged public var labels: [String]?
    @NSManaged private var primitiveCreatedAt: Date?

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveCreatedAt = Date()
    }
}
