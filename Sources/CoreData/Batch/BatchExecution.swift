@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// What executing the three kinds of batch request has in common.
enum BatchExecution {
    /// The entity of a request.
    ///
    /// - Throws: an error that names the entity when the model doesn't have it, or it isn't given.
    static func layout(
        _ name: String, in coordinator: NSPersistentStoreCoordinator, request: NSPersistentStoreRequest
    ) throws -> EntityLayout {
        guard !name.isEmpty else {
            throw CoreDataError.unsupportedRequest("A \(type(of: request)) must have an entity.")
        }
        guard let layout = coordinator.layout.entity(named: name) else {
            throw CoreDataError.unknownEntity(name, in: coordinator.layout)
        }
        return layout
    }

    /// What all stores together say.
    ///
    /// - Throws: an error that names the request where a custom store answered with another kind of value.
    static func combined(_ answers: [Any], _ kind: BatchResultKind, of request: NSPersistentStoreRequest) throws -> Any
    {
        func cast<Value>(_ type: Value.Type) throws -> [Value] {
            try answers.map { answer in
                guard let value = answer as? Value else {
                    throw CoreDataError.make(
                        NSPersistentStoreOperationError,
                        "A store answered a \(Swift.type(of: request)) with a \(Swift.type(of: answer)), "
                            + "not with a \(type), which its result type asks for.")
                }
                return value
            }
        }
        switch kind {
        case .status: return NSNumber(value: try cast(NSNumber.self).allSatisfy(\.boolValue))
        case .count: return NSNumber(value: try cast(NSNumber.self).reduce(0) { $0 + $1.intValue })
        case .objectIDs: return try cast([NSManagedObjectID].self).flatMap { $0 }
        }
    }
}
