import CoreData

extension NSAttributeDescription {
    /// An optional attribute.
    convenience init(optional name: String, _ type: NSAttributeType) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = true
    }
}
