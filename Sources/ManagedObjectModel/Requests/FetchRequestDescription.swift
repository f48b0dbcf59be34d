import Foundation

extension AnyFetchRequest {
    /// Class, address and what the request says, as Apple's prints it in logs (seen in public ones).
    final var text: String {
        let address = "0x" + String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
        return "<NSFetchRequest: \(address)> (\(parts.map { "\($0); " }.joined()))"
    }

    private var parts: [String] {
        let orders = (sortDescriptors ?? []).map { "\n    \"\($0)\"" }.joined(separator: ",")
        var parts = [
            "entity: \(entityName ?? "(null)")", "predicate: (\(predicate?.predicateFormat ?? "(null)"))",
            "sortDescriptors: (\(sortDescriptors == nil ? "(null)" : "(\(orders)\n)"))",
        ]
        for (name, number) in [("offset", fetchOffset), ("limit", fetchLimit), ("batch size", fetchBatchSize)]
        where number != 0 {
            parts.append("\(name): \(number)")
        }
        return parts + ["type: \(resultType.nameInLogs)"]
    }
}

extension NSFetchRequestResultType {
    fileprivate var nameInLogs: String {
        switch self {
        case .managedObjectIDResultType: "NSManagedObjectIDResultType"
        case .dictionaryResultType: "NSDictionaryResultType"
        case .countResultType: "NSCountResultType"
        default: "NSManagedObjectResultType"
        }
    }
}
