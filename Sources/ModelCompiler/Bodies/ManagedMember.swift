/// An `@NSManaged` property or method with all that its bodies depend on.
struct ManagedMember {
    /// A function to write: its symbol, signature and body.
    struct Function {
        let symbol: String
        /// The parameters as they are declared.
        let parameters: String
        let result: String?
        let body: String

        /// The function with a body that stops the program.
        func stopping(_ message: String) -> Function {
            Function(symbol: symbol, parameters: parameters, result: result, body: "fatalError(\"\(message)\")")
        }
    }

    /// The class as it is named in an extension. Nil where other files can't name it.
    let extendedClass: String?
    /// How far the member can be seen, its class considered.
    let access: AccessLevel
    /// The conditions of compilation that it is under.
    let conditions: [String]
    /// The name of the property in the model.
    let key: String
    let functions: [Function]
}
