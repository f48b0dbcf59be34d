/// In what two versions of an attribute differ, besides what all properties have.
struct AttributeDifference {
    let old: NSAttributeDescription
    let new: NSAttributeDescription

    var messages: [(text: String, obstacle: String?)] {
        var messages: [(text: String, obstacle: String?)] = []
        if old.attributeType != new.attributeType {
            let isFree = old.isTransient || new.isTransient || old.attributeType.widens(to: new.attributeType)
            messages.append(
                (
                    "its type was \(old.attributeType.xmlName) and is \(new.attributeType.xmlName)",
                    isFree ? nil : "values do not change their type by themselves"
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
        let limits = (old.validationPredicates.map(\.parsableFormat), new.validationPredicates.map(\.parsableFormat))
        if limits.0 != limits.1 { messages.append(("its validation changed", nil)) }
        if let old = old as? NSDerivedAttributeDescription, let new = new as? NSDerivedAttributeDescription,
            !ValueEquality.areEqual(old.derivationExpression, new.derivationExpression)
        {
            messages.append(("its derivation changed", nil))
        }
        if let old = old as? NSCompositeAttributeDescription, let new = new as? NSCompositeAttributeDescription,
            old.elements.sortedByName() != new.elements.sortedByName()
        {
            messages += Self.elementMessages(from: old, to: new)
        }
        return messages
    }

    private static func elementMessages(
        from old: NSCompositeAttributeDescription, to new: NSCompositeAttributeDescription
    ) -> [(text: String, obstacle: String?)] {
        let elements = ModelPairing.elements(from: old, to: new)
        var messages: [(text: String, obstacle: String?)] = []
        for (former, element) in elements.pairs {
            guard let former else {
                let lacksValue = !element.isOptional && element.defaultValue == nil
                messages.append(
                    (
                        "its element \(element.name) is new",
                        lacksValue ? "it is required and has no default value" : nil
                    ))
                continue
            }
            if former.name != element.name {
                messages.append(("its element \(element.name) was called \(former.name)", nil))
            }
            if former.isOptional, !element.isOptional {
                messages.append(
                    (
                        "its element \(element.name) became required",
                        element.defaultValue == nil ? "objects without a value get none: it has no default" : nil
                    ))
            }
            for message in AttributeDifference(old: former, new: element).messages {
                messages.append(("of its element \(element.name), \(message.text)", message.obstacle))
            }
        }
        for element in elements.removed {
            messages.append(("its element \(element.name) is gone, and its values with it", nil))
        }
        return messages.isEmpty ? [("its elements changed", nil)] : messages
    }
}
