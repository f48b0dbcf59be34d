@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// What generated accessors call. The value of a clean object is read from its row without being boxed; a write marks the
// property and nothing else.
extension NSManagedObject {
    // MARK: Reading

    /// The property's slot when the value can be read from the snapshot; nil when the object has a row of its own.
    @inline(__always)
    final func stored(_ key: ManagedPropertyKey) -> PropertyLayout {
        fireIfNeeded(key.name)
        let property = key.property(in: layout)
        return property
    }

    /// The property, which is about to be read.
    @inline(__always)
    final func read(_ key: ManagedPropertyKey) -> PropertyLayout {
        let property = stored(key)
        recordRead(property)
        return property
    }

    /// Reads the row of an object that has no values of its own: the usual case, without looking at the property.
    ///
    /// - Returns: nil where the value lies elsewhere or is of another kind; an empty value where it is nil.
    @inline(__always)
    private func rowValue<Value>(
        _ key: ManagedPropertyKey, _ fits: (UInt8) -> Bool, _ read: (RowPage, Int, Int) -> Value
    ) -> Value?? {
        fireIfNeeded(key.name)
        recordRead(key.property(in: layout))
        guard state == nil, let page = unretainedPage, let known = key.knownSlot(in: layout), fits(known.kind) else {
            return .none
        }
        let row = Int(snapshotRow)
        return page._withUnsafeGuaranteedRef { page in
            page.isNull(row, known.slot) ? .some(nil) : .some(read(page, row, known.slot))
        }
    }

    /// An integer or Boolean attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func integerValue(for key: ManagedPropertyKey) -> Int64? {
        if let value = rowValue(key, { $0 <= PropertyKind.bool.rawValue }, { $0.int($1, $2) }) { return value }
        let property = stored(key)
        guard property.holdsIntegers else { return (primitiveValue(of: property) as? NSNumber)?.int64Value }
        if let state, !state.current.isEmpty {
            if case .int(let value) = state.current[property.rowSlot] { return value }
            return nil
        }
        guard let page = snapshotPage, !page.isNull(Int(snapshotRow), property.rowSlot) else { return nil }
        return page.int(Int(snapshotRow), property.rowSlot)
    }

    /// A double or float attribute, or a date as seconds since 2001; nil when it has no value.
    @_spi(GeneratedCode) public final func doubleValue(for key: ManagedPropertyKey) -> Double? {
        let doubles = PropertyKind.double.rawValue...PropertyKind.date.rawValue
        if let value = rowValue(key, { doubles.contains($0) }, { $0.double($1, $2) }) { return value }
        let property = stored(key)
        guard property.holdsDoubles else {
            let value = primitiveValue(of: property)
            return (value as? NSNumber)?.doubleValue ?? (value as? Date)?.timeIntervalSinceReferenceDate
        }
        if let state, !state.current.isEmpty {
            if case .double(let value) = state.current[property.rowSlot] { return value }
            return nil
        }
        guard let page = snapshotPage, !page.isNull(Int(snapshotRow), property.rowSlot) else { return nil }
        return page.double(Int(snapshotRow), property.rowSlot)
    }

    /// A string attribute; nil when it has no value.
    @_spi(GeneratedCode) public final func stringValue(for key: ManagedPropertyKey) -> String? {
        if let value = rowValue(key, { $0 == PropertyKind.string.rawValue }, { $0.string($1, $2) }) { return value }
        let property = stored(key)
        guard property.kind == .string, property.rowSlot >= 0 else { return primitiveValue(of: property) as? String }
        if let state, !state.current.isEmpty {
            if case .string(let value) = state.current[property.rowSlot] { return value }
            return nil
        }
        guard let page = snapshotPage, !page.isNull(Int(snapshotRow), property.rowSlot) else { return nil }
        return page.string(Int(snapshotRow), property.rowSlot)
    }

    /// The value of any property, as key-value coding gives it.
    @_spi(GeneratedCode) public final func anyValue(for key: ManagedPropertyKey) -> Any? {
        primitiveValue(of: read(key))
    }

    /// The destination of a to-one relationship.
    @_spi(GeneratedCode) public final func objectValue(for key: ManagedPropertyKey) -> NSManagedObject? {
        toOne(read(key))
    }

    // MARK: Writing

    /// Writes the row slot of an object that the current event has changed before: the usual case, without looking at the
    /// property.
    ///
    /// - Returns: whether it did. If not, the value lies elsewhere, is of another kind, is the event's first, or
    ///   an observer is told of the change.
    @inline(__always)
    private func setRowValue(
        _ key: ManagedPropertyKey, _ fits: (UInt8) -> Bool, _ field: (PropertyKind) -> FieldValue
    ) -> Bool {
        fireIfNeeded(key.name)
        guard flags.isDisjoint(with: .told), let state, let known = key.knownSlot(in: layout), fits(known.kind),
            let kind = PropertyKind(rawValue: known.kind)
        else { return false }
        return Unmanaged.passUnretained(state)._withUnsafeGuaranteedRef { state in
            guard state.isBeingWritten || flags.contains(.inTransition), !state.current.isEmpty else { return false }
            state.current[known.slot] = field(kind)
            state.changed.insert(known.slot)
            reportChange()
            return true
        }
    }

    /// Sets an integer or Boolean attribute. What the attribute has no room for is cut off, as `NSNumber` does.
    @_spi(GeneratedCode) public final func setIntegerValue(_ value: Int64?, for key: ManagedPropertyKey) {
        func field(_ kind: PropertyKind) -> FieldValue {
            value.map { .int(FieldValue.truncated($0, to: kind)) } ?? .null
        }
        if setRowValue(key, { $0 <= PropertyKind.bool.rawValue }, field) { return }
        let property = stored(key)
        guard property.holdsIntegers else { return setValue(value.map { NSNumber(value: $0) }, of: property) }
        change(property, to: field(property.kind))
    }

    /// Sets a double or float attribute, or a date in seconds since 2001.
    @_spi(GeneratedCode) public final func setDoubleValue(_ value: Double?, for key: ManagedPropertyKey) {
        let doubles = PropertyKind.double.rawValue...PropertyKind.date.rawValue
        func field(_ kind: PropertyKind) -> FieldValue {
            value.map { .double(kind == .float ? Double(Float($0)) : $0) } ?? .null
        }
        if setRowValue(key, { doubles.contains($0) }, field) { return }
        let property = stored(key)
        guard property.holdsDoubles else {
            let date = property.kind == .date ? value.map(Date.init(timeIntervalSinceReferenceDate:)) : nil
            return setValue(date ?? value.map { NSNumber(value: $0) }, of: property)
        }
        change(property, to: field(property.kind))
    }

    /// Sets a string attribute.
    @_spi(GeneratedCode) public final func setStringValue(_ value: String?, for key: ManagedPropertyKey) {
        let field: FieldValue = value.map { .string($0) } ?? .null
        if setRowValue(key, { $0 == PropertyKind.string.rawValue }, { _ in field }) { return }
        let property = stored(key)
        guard property.kind == .string, property.rowSlot >= 0 else { return setValue(value, of: property) }
        change(property, to: field)
    }

    /// Sets any property; the type is checked, and the inverse of a relationship kept up.
    @_spi(GeneratedCode) public final func setAnyValue(_ value: Any?, for key: ManagedPropertyKey) {
        setValue(value, of: stored(key))
    }
}
