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

    @NSManaged public var image: Data?
    @NSManaged public var link: URL?
    @NSManaged public var exposure: Double
    @NSManaged public var price: NSDecimalNumber?
    @NSManaged public var orientation: Orientation
    @NSManaged public var labels: [String]?
    @NSManaged private var primitiveCreatedAt: Date?

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveCreatedAt = Date()
    }
}
