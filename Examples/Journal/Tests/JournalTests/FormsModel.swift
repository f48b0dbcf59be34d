#if os(Linux)
    import CoreData

    extension Forms {
        /// The model, made by the program.
        static func model() -> NSManagedObjectModel {
            let everything = entity("Everything", className: "Everything")
            let part = entity("Part", className: "Part")
            let hidden = entity("Hidden", className: "Hidden")
            everything.properties = attributes()
            part.properties = [attribute("name", .stringAttributeType)]
            hidden.properties = [attribute("name", .stringAttributeType), relationship("next", to: hidden, maximum: 1)]

            let parts = relationship("parts", to: part, maximum: 0)
            let setOwner = relationship("setOwner", to: everything, maximum: 1)
            (parts.inverseRelationship, setOwner.inverseRelationship) = (setOwner, parts)
            let ordered = relationship("ordered", to: part, maximum: 0)
            ordered.isOrdered = true
            let orderedOwner = relationship("orderedOwner", to: everything, maximum: 1)
            (ordered.inverseRelationship, orderedOwner.inverseRelationship) = (orderedOwner, ordered)
            everything.properties += [
                parts, ordered, relationship("more", to: part, maximum: 0),
                relationship("others", to: part, maximum: 0),
                relationship("favourite", to: part, maximum: 1),
            ]
            part.properties += [setOwner, orderedOwner]

            let diary = entity("Diary", className: "Diary")
            diary.properties = [attribute("title", .stringAttributeType)]
            let shelf = entity("Shelf", className: "Shelf")
            shelf.properties = [attribute("label", .stringAttributeType), relationship("diary", to: diary, maximum: 1)]

            let loan = entity("Loan", className: "Loan")
            loan.properties = [
                attribute("place", .stringAttributeType), relationship("shelf", to: shelf, maximum: 1),
                relationship("next", to: loan, maximum: 1),
            ]

            let model = NSManagedObjectModel()
            model.entities = [everything, part, hidden, diary, shelf, loan]
            return model
        }

        private static func entity(_ name: String, className: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = className
            return entity
        }

        private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }

        private static func relationship(
            _ name: String, to entity: NSEntityDescription, maximum: Int
        ) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = entity
            relationship.maxCount = maximum
            relationship.isOptional = true
            return relationship
        }

        private static func attributes() -> [NSAttributeDescription] {
            let types: [(NSAttributeType, [String])] = [
                (.integer16AttributeType, ["int16", "kind", "optionalKind"]),
                (.integer32AttributeType, ["unsigned", "größe"]),
                (.integer64AttributeType, ["optionalInt", "int", "number", "wholeNumber"]),
                (.booleanAttributeType, ["bool", "optionalBool"]),
                (.doubleAttributeType, ["double", "optionalDouble"]),
                (.floatAttributeType, ["float"]),
                (
                    .stringAttributeType,
                    ["common", "string", "optionalString", "foundationString", "mood", "secret"]
                ),
                (.dateAttributeType, ["date", "foundationDate", "interval"]),
                (.binaryDataAttributeType, ["data", "foundationData"]),
                (.UUIDAttributeType, ["uuid"]),
                (.URIAttributeType, ["url"]),
                (.decimalAttributeType, ["decimal", "optionalDecimal", "decimalNumber"]),
                (.transformableAttributeType, ["counts", "anything"]),
            ]
            return types.flatMap { type, names in names.map { attribute($0, type) } }
        }
    }
#endif
