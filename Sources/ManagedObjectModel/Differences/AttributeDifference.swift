/// In what two versions of an attribute differ, besides what all properties have.
struct AttributeDifference {
    let old: NSAttributeDescription
    let new: NSAttributeDescription

    var messages: [(text: String, obstacle: String?)] {
        var messages: [(text: String, obstacle: String?)] = []
        if old.attributeType != new.attributeType {
            messages.append(
                (
                    "its type was \(old.attributeType.xmlName) and is \(new.attributeType.xmlName)",
                    old.isTransient || new.isTransient ? nil : "values do not change their type by themselves"
                ))
        }
        if old.attributeType == new.attributeType, old.attributeValueClassName != new.attributeValueClassName {
            let names = [old, new].map { $0.attributeValueClassName ?? "nothing" }
            messages.append(("the class of its values was \(names[0]) and is \(names[1])", nil))
        }
        if old.allowsCloudEncryption != new.allowsCloudEncryption {
            messages.append(
                (new.allowsCloudEncryption ? "CloudKit encrypts it" : "CloudKit no longer encrypts it", nil))
        }
        if !ValueEquality.areEqual(old.defaultValue, new.defaultValue) {
            messages.append(("its default value changed", nil))
        }
        if old.valueTransformerName != new.valueTransformerName {
            messages.append(("its value transformer changed; stored values stay as they are", nil))
        }
        if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
            messages.append(
                (new.allowsExternalBinaryDataStorage ? "it may be stored externally" : "it is stored inside", nil))
        }
        if old.preservesValueInHistoryOnDeletion != new.preservesValueInHistoryOnDeletion {
            messages.append(("its place in the history of deletions changed", nil))
        }
        let limits = (old.validationPredicates.map(\.predicateFormat), new.validationPredicates.map(\.predicateFormat))
        if limits.0 != limits.1 { messages.append(("its validation changed", nil)) }
        if let old = old as? NSDerivedAttributeDescription, let new = new as? NSDerivedAttributeDescription,
            !ValueEquality.areEqual(old.derivationExpression, new.derivationExpression)
        {
            messages.append(("its derivation changed", nil))
        }
        if let old = old as? NSCompositeAttributeDescription, let new = new as? NSCompositeAttributeDescription,
            old.elements.sortedByName() != new.elements.sortedByName()
        {
            messages.append(("its elements changed", nil))
        }
        return messages
    }
}
