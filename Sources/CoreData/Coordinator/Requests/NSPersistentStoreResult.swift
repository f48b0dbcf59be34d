import Foundation

/// What executing a request gave. Abstract: each kind of request has a kind of result (Apple: NSPersistentStoreResult).
open class NSPersistentStoreResult: NSObject {}
