/// How descriptions tell objects apart, as on Apple's platforms.
package enum ObjectAddress {
    /// The address of an object in memory, as a hexadecimal number.
    package static func text(of object: AnyObject) -> String {
        "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
    }
}
