@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSManagedObject {
    /// Turns the values of transformable attributes that a save has to write into data, before anything is written.
    ///
    /// - Throws: an error that names the object, the attribute and the class of a value that can't be archived.
    final func archiveTransformables() throws {
        guard let state, !state.current.isEmpty else { return }
        var archives: [Int: (value: BoxedValue, data: Data)] = [:]
        for property in layout.transformables {
            guard case .object(let box) = state.current[property.rowSlot] else { continue }
            archives[property.rowSlot] = (box, try TransformableCoder.archive(box.value, of: property, in: self))
        }
        state.archives = archives
    }

    /// Leaves the object, once its row is written, with the values that it was given: until it is refreshed it answers with
    /// these, as Apple's does, and not with what their archives are read as.
    final func keepTransformables() {
        guard let state, !state.current.isEmpty else { return }
        for property in layout.transformables where property.index >= 0 {
            if case .object(let box) = state.current[property.rowSlot] { state.decoded[property.index] = box.value }
        }
    }

    /// Forgets what a save has archived.
    final func forgetArchives() {
        if let state, !state.archives.isEmpty { state.archives = [:] }
    }

    /// The value of a row slot as a store writes it: destinations as keys, transformables as data.
    ///
    /// A value that can't be archived stays as it is: a save refuses it beforehand, and so does the code that writes
    /// rows.
    final func storedField(_ property: PropertyLayout) -> FieldValue {
        let field = self.field(property)
        if let destination = field.destination { return .reference(destination.savedKey) }
        switch field {
        case .object(let box) where property.kind == .transformable:
            let data =
                state?.archive(of: box, in: property.rowSlot) ?? TransformableCoder.data(from: box.value, of: property)
            return data.map { .data($0) } ?? field
        default: return field
        }
    }
}

extension ObjectState {
    /// What a save under way has made of just this value.
    func archive(of value: BoxedValue, in slot: Int) -> Data? {
        guard let known = archives[slot], known.value === value else { return nil }
        return known.data
    }
}
