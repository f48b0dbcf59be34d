/// What the result of a batch request says, whichever kind of request it is: Apple gives all three the same numbers.
package enum BatchResultKind: UInt {
    case status = 0
    case objectIDs = 1
    case count = 2
}
