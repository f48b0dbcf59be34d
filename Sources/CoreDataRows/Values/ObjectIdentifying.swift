/// What the object graph has for IDs, which a row holds as they are where an attribute's values are IDs.
package protocol ObjectIdentifying: AnyObject {}
