/// How lines that are generated in a build say where in the model they come from.
package enum SourceLocations: String, Sendable {
    /// By `#sourceLocation`, so that what the compiler has to say (a class that isn't there) points at the model.
    case directives
    /// By a comment, which the compiler shows with its message. For targets with several models: their files are all called
    /// "contents", and the compiler warns of directives that name two files of a name in a module.
    case comments
}
