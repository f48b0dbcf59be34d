/// Where a member is declared.
struct MemberContext: Hashable {
    /// The class.
    let type: NominalType
    /// The module of the extension that declares the member, where it is not the class's.
    var extendingModule: String?
}
