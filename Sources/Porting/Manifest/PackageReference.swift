/// Where a package says that OpenCoreData is.
package enum PackageReference: Sendable {
    /// A repository, and the branch or version as the manifest says it: `branch: "main"`.
    case repository(url: String, requirement: String)
    /// A folder.
    case folder(String)

    /// The entry of `dependencies:`.
    var dependency: String {
        switch self {
        case .repository(let url, let requirement): ".package(url: \"\(url)\", \(requirement))"
        case .folder(let path): ".package(name: \"\(Self.name)\", path: \"\(path)\")"
        }
    }

    /// What products and plugins call the package.
    var identity: String {
        switch self {
        case .folder: return Self.name
        case .repository(let url, _):
            let last = url.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? Self.name
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }
    }

    private static let name = "OpenCoreData"
}
