/// The collection operators of key-value coding that a key path over a to-many may end in.
enum SQLCollectionOperator: String {
    case count = "@count"
    case sum = "@sum"
    case min = "@min"
    case max = "@max"
    case average = "@avg"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
}
