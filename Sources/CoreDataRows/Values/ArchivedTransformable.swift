import Foundation

/// The value of a transformable attribute as it lies in a file, decoded only when it is read.
///
/// A file can so be read and written whose values are of classes that this program doesn't have.
package final class ArchivedTransformable: NSObject {
    package let data: Data

    package init(_ data: Data) {
        self.data = data
        super.init()
    }

    package override func isEqual(_ object: Any?) -> Bool { (object as? ArchivedTransformable)?.data == data }
    package override var hash: Int { data.hashValue }
}
