import Foundation
import ManagedObjectModel

// An addition to Apple's API, for stores that keep the values of transformable attributes as data, as the package's own do.
extension NSAttributeDescription {
    /// A value of this transformable attribute as the data that its transformer makes of it; nil when it can't.
    public func storedData(ofTransformable value: Any) -> Data? {
        TransformableCoder.data(from: value, transformerName: valueTransformerName)
    }

    /// The value of this transformable attribute that the data stands for; nil when the transformer can't tell.
    public func transformable(fromStored data: Data) -> Any? {
        TransformableCoder.value(
            from: data, transformerName: valueTransformerName, isFromProgram: !(entity.owningModel?.isFromFile ?? false)
        )
    }
}
