#!/usr/bin/env python3
"""Renew the two binary values of Examples/Library/Library.sql from Library.xcdatamodeld.

Library.sql is laid out by hand, but two of its values can't be typed: the metadata property list, which
holds version hashes, and the model cache, a compressed archive of the model. Run this after the model changed;
the tables in Library.sql have to follow the model by hand. It shares no code with the Swift package on purpose:
the tests compare what the package says with what stands in Library.sql.
"""

import base64
import hashlib
import pathlib
import plistlib
import re
import struct
import xml.etree.ElementTree as ET
import zlib

LIBRARY = pathlib.Path(__file__).resolve().parent.parent / "Examples" / "Library"
MODEL = LIBRARY / "Library.xcdatamodeld" / "Library.xcdatamodel" / "contents"
SQL = LIBRARY / "Library.sql"
FRAMEWORK_VERSION = 1414  # the systems of 2024

# XML name: (raw value of NSAttributeType, class of the value)
ATTRIBUTE_TYPES = {
    "Integer 16": (100, "NSNumber"), "Integer 32": (200, "NSNumber"), "Integer 64": (300, "NSNumber"),
    "Decimal": (400, "NSDecimalNumber"), "Double": (500, "NSNumber"), "Float": (600, "NSNumber"),
    "String": (700, "NSString"), "Boolean": (800, "NSNumber"), "Date": (900, "NSDate"),
    "Binary": (1000, "NSData"), "UUID": (1100, "NSUUID"), "URI": (1200, "NSURL"),
}
DELETE_RULES = {"No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3}
NUMBER_TOO_SMALL = 1620  # NSValidationNumberTooSmallError


def sha256(data):
    return hashlib.sha256(data).digest()


def is_set(element, key):
    return element.get(key) == "YES"


class Model:
    def __init__(self, path):
        self.entities = {entity.get("name"): entity for entity in ET.parse(path).getroot().findall("entity")}

    def superentity(self, entity):
        return self.entities.get(entity.get("parentEntity"))

    def subentities(self, entity):
        return [e for e in self.entities.values() if e.get("parentEntity") == entity.get("name")]

    def properties(self, entity):
        """Own and inherited properties, the inherited ones first."""
        parent = self.superentity(entity)
        own = entity.findall("attribute") + entity.findall("relationship")
        return (self.properties(parent) if parent is not None else []) + own

    def declaring(self, entity, name):
        while all(p.get("name") != name for p in entity if p.tag in ("attribute", "relationship")):
            entity = self.superentity(entity)
        return entity

    # Version hashes. Apple's "Core Data Model Versioning" guide names what takes part; the byte layout was worked
    # out from stores and compiled models and reproduces every hash in them.

    def property_hash(self, prop):
        flags = (1 if is_set(prop, "optional") else 0) | (2 if is_set(prop, "transient") else 0)
        base = sha256(prop.get("name").encode() + struct.pack("<H", flags))
        if prop.tag == "attribute":
            return sha256(base + struct.pack("<i", ATTRIBUTE_TYPES[prop.get("attributeType")][0]))
        text = (prop.get("destinationEntity") + prop.get("inverseName")).encode()
        counts = struct.pack("<ii", 0 if is_set(prop, "toMany") else 1, 0)
        return sha256(base + text + counts + (b"\1\0" if is_set(prop, "ordered") else b""))

    def entity_hash(self, entity):
        data = entity.get("name").encode() + (b"\1" if is_set(entity, "isAbstract") else b"\0")
        if (parent := self.superentity(entity)) is not None:
            data += self.entity_hash(parent)
        for prop in sorted(self.properties(entity), key=lambda p: p.get("name").encode()):
            data += self.property_hash(prop)
        constraints = entity.findall("uniquenessConstraints/uniquenessConstraint")
        data += b"".join(sorted(".".join(c.get("value") for c in tuple_).encode() for tuple_ in constraints))
        return sha256(data)


def metadata(model):
    hashes = {name: model.entity_hash(entity) for name, entity in model.entities.items()}
    ordered = sorted(hashes.items(), key=lambda item: item[0].encode())
    digest = hashlib.sha512(b"".join(name.encode() + value for name, value in ordered)).digest()
    checksum = sha256(b"".join(value for _, value in ordered))
    return plistlib.dumps({
        "NSPersistenceFrameworkVersion": FRAMEWORK_VERSION,
        "NSStoreModelVersionChecksumKey": base64.b64encode(checksum).decode(),
        "NSStoreModelVersionHashes": hashes,
        "NSStoreModelVersionHashesDigest": base64.b64encode(digest).decode(),
        "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": [""],
        "NSStoreType": "SQLite",
        "_NSAutoVacuumLevel": "2",
    }, fmt=plistlib.FMT_BINARY)


class Archive:
    """Writes the object graph of an NSKeyedArchiver: a flat table whose entries refer to each other by index."""

    NULL = plistlib.UID(0)

    def __init__(self):
        self.objects = ["$null"]
        self.known = {}

    def reserve(self, key):
        """A place for an object that others refer to before it is complete."""
        if key not in self.known:
            self.objects.append(None)
            self.known[key] = plistlib.UID(len(self.objects) - 1)
        return self.known[key]

    def value(self, value):
        """A string or number, stored once."""
        uid = self.known.get((type(value), value))
        if uid is None:
            uid = self.reserve((type(value), value))
            self.objects[uid.data] = value
        return uid

    def class_(self, *names):
        uid = self.reserve(("class", names[0]))
        self.objects[uid.data] = {"$classname": names[0], "$classes": [*names, "NSObject"]}
        return uid

    def object(self, classes, uid=None, **keys):
        if uid is None:
            self.objects.append(None)
            uid = plistlib.UID(len(self.objects) - 1)
        keys = {key.replace("__", "."): value for key, value in keys.items()}
        self.objects[uid.data] = {**keys, "$class": self.class_(*classes)}
        return uid

    def array(self, items, mutable=True):
        classes = ("NSMutableArray", "NSArray") if mutable else ("NSArray",)
        return self.object(classes, NS__objects=list(items))

    def set(self, items):
        return self.object(("NSSet",), NS__objects=list(items))

    def dictionary(self, items, mutable=True):
        classes = ("NSMutableDictionary", "NSDictionary") if mutable else ("NSDictionary",)
        return self.object(classes, NS__keys=[self.value(k) for k in items], NS__objects=list(items.values()))

    def known_keys_dictionary(self, items):
        strategy = self.object(
            ("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"), length=len(items), version=1,
            keys=self.array([self.value(k) for k in items], mutable=False))
        return self.object(
            ("NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"),
            searchMapping=strategy, values=self.array(items.values(), mutable=False), version=1,
            emptyToken=self.value("__empty_slot_token_4c24_98dc_ac1e_b773__"))


class ModelArchive(Archive):
    """The model as the framework caches it in a store: inherited properties are repeated in each subentity."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        root = self.reserve("model")
        self.no_user_info = self.dictionary({}, mutable=False)
        entities = {name: self.entity(model.entities[name]) for name in sorted(model.entities)}
        self.object(
            ("NSManagedObjectModel",), uid=root, NSEntities=self.known_keys_dictionary(entities),
            NSFetchRequestTemplates=self.NULL, NSVersionIdentifiers=self.set([self.value("")]))
        self.root = root

    def compressed(self):
        archive = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$objects": self.objects,
                   "$top": {"root": self.root}}
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        return deflate.compress(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)) + deflate.flush()

    def entity_place(self, entity):
        return self.reserve(("entity", entity.get("name")))

    def property_place(self, entity, name):
        return self.reserve(("property", entity.get("name"), name))

    def entity(self, entity):
        name = self.value(entity.get("name"))
        parent = self.model.superentity(entity)
        keys = {
            "NSEntityName": name, "NSRenamingIdentifier": name,
            "NSClassNameForEntity": self.value(entity.get("representedClassName")),
            "NSManagedObjectModel": self.reserve("model"), "NSUserInfo": self.no_user_info,
            "NSVersionHashModifier": self.NULL,
            "NSSuperentity": self.NULL if parent is None else self.entity_place(parent),
            "NSSubentities": self.dictionary(
                {e.get("name"): self.entity_place(e) for e in self.model.subentities(entity)}),
            "NSProperties": self.dictionary(
                {p.get("name"): self.property(p, entity) for p in self.model.properties(entity)}),
        }
        if constraints := entity.findall("uniquenessConstraints/uniquenessConstraint"):
            keys["NSUniqueTuples"] = self.array(
                self.array(self.value(c.get("value")) for c in constraint) for constraint in constraints)
        if indexes := entity.findall("fetchIndex"):
            keys["NSFetchIndexDescriptions"] = self.array(self.fetch_index(i, entity) for i in indexes)
            keys["NSCompoundIndexes"] = self.array(
                self.array(self.value(e.get("property")) for e in index) for index in indexes)
        return self.object(("NSEntityDescription",), uid=self.entity_place(entity), **keys)

    def property(self, prop, entity):
        name = self.value(prop.get("name"))
        minimum = prop.get("minValueString")
        optional, ordered = is_set(prop, "optional"), is_set(prop, "ordered")
        # 1 always, 2 optional, 16/32/64/128: no predicates, warnings, user info, hash modifier; 1024 ordered
        flags = 1 | (2 if optional else 0) | 64 | 128 | (0 if minimum else 16 | 32) | (1024 if ordered else 0)
        keys = {"NSPropertyName": name, "NSRenamingIdentifier": name, "NSEntity": self.entity_place(entity), "_P": flags}
        if optional:
            keys["NSIsOptional"] = True
        if minimum:
            keys["NSValidationPredicates"] = self.array([self.at_least(int(minimum))])
            keys["NSValidationWarnings"] = self.array([self.value(NUMBER_TOO_SMALL)])
        uid = self.property_place(entity, prop.get("name"))
        if prop.tag == "relationship":
            return self.relationship(prop, uid, keys, ordered)
        raw_type, value_class = ATTRIBUTE_TYPES[prop.get("attributeType")]
        return self.object(
            ("NSAttributeDescription", "NSPropertyDescription"), uid=uid, **keys, NSAttributeType=raw_type,
            NSAttributeValueClassName=self.value(value_class), NSDefaultValue=self.default_value(prop),
            NSValueTransformerName=self.NULL, NSFlagsKey=0)

    def relationship(self, prop, uid, keys, ordered):
        destination = self.model.entities[prop.get("destinationEntity")]
        inverse_owner = self.model.declaring(destination, prop.get("inverseName"))
        if ordered:
            keys["NSIsOrdered"] = True
        return self.object(
            ("NSRelationshipDescription", "NSPropertyDescription"), uid=uid, **keys,
            NSDestinationEntity=self.entity_place(destination),
            _NSDestinationEntityName=self.value(destination.get("name")),
            NSInverseRelationship=self.property_place(inverse_owner, prop.get("inverseName")),
            _NSInverseRelationshipName=self.value(prop.get("inverseName")),
            NSDeleteRule=DELETE_RULES[prop.get("deletionRule")], NSMinCount=0,
            NSMaxCount=0 if is_set(prop, "toMany") else 1)

    def default_value(self, prop):
        text = prop.get("defaultValueString")
        if text is None:
            return self.NULL
        return self.value(text == "YES" if prop.get("attributeType") == "Boolean" else int(text))

    def at_least(self, minimum):
        """The predicate SELF >= minimum."""
        operator = self.object(
            ("NSComparisonPredicateOperator", "NSPredicateOperator"),
            NSModifier=0, NSVariant=3, NSOptions=0, NSOperatorType=3)
        return self.object(
            ("NSComparisonPredicate", "NSPredicate"), NSPredicateOperator=operator,
            NSLeftExpression=self.object(("NSSelfExpression", "NSExpression"), NSExpressionType=1),
            NSRightExpression=self.object(
                ("NSConstantValueExpression", "NSExpression"), NSExpressionType=0, NSConstantValue=self.value(minimum)))

    def fetch_index(self, index, entity):
        uid = self.reserve(("index", entity.get("name"), index.get("name")))
        elements = [
            self.object(
                ("NSFetchIndexElementDescription",), NSPropertyName=self.value(element.get("property")),
                NSFetchIndexElementType=0, NSAscending=element.get("order") == "ascending", NSFetchIndexDescription=uid)
            for element in index]
        return self.object(
            ("NSFetchIndexDescription",), uid=uid, NSIndexName=self.value(index.get("name")),
            NSIndexElements=self.array(elements, mutable=False), NSPartialIndexPredicate=self.NULL,
            NSEntity=self.entity_place(entity))


def main():
    model = Model(MODEL)
    text = SQL.read_text()
    for table, blob in (("Z_METADATA", metadata(model)), ("Z_MODELCACHE", ModelArchive(model).compressed())):
        text, count = re.subn(rf"(INSERT INTO {table} VALUES\([^;]*X')[0-9A-F]*(')", rf"\g<1>{blob.hex().upper()}\g<2>", text)
        if count != 1:
            raise SystemExit(f"{SQL}: expected one INSERT INTO {table}, found {count}")
    SQL.write_text(text)


if __name__ == "__main__":
    main()
