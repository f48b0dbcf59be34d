extension FormatTable {
    /// Key paths and collection operators.
    static let keyPaths = #"""
        author.name == 'Jane Austen' │ author.name == "Jane Austen" │ 1 2
        author.born > 1800 │ = │ 3 4 5 6
        author.born == nil │ = │ 7 8
        author.books.@count == 2 │ = │ 1 2 4 6
        author.books.@count > 1 AND pages > 300 │ = │ 1 6
        tags.@count == 0 │ = │ 3
        tags.@count > 1 │ = │ 1 5 6 8
        loans.@count >= 2 │ = │ 1 5
        loans.@sum.days > 40 │ = │ 1 4 5
        loans.@avg.days > 20 │ = │ 1 4 5
        loans.@max.days == 60 │ = │ 4
        loans.@min.days == 7 │ = │ 2
        loans.@sum.fee == 1.5 │ = │ 1
        loans.@avg.fee == 0.75 │ = │ 1
        loans.@max.member == 'Cid' │ loans.@max.member == "Cid" │ 5
        loans.@max.days - loans.@min.days == 80 │ = │ 5
        genres.@count == 2 │ = │ 1 4 5
        genres.@max.shelf == 2 │ = │ 1 4
        genres.@min.shelf == 1 │ = │ 1 2 3 5 6
        author.books.@sum.pages == 723 │ = │ 1 2
        author.books.@max.pages == 474 │ = │ 1 2
        author.books.@avg.rating > 4.1 │ = │ 1 2 5
        tags.@count == loans.@count │ = │ 1 2 3 4
        'Ann' IN loans.@unionOfObjects.member │ "Ann" IN loans.@unionOfObjects.member │ 1 2 5
        'Ann' IN loans.@distinctUnionOfObjects.member │ "Ann" IN loans.@distinctUnionOfObjects.member │ 1 2 5
        loans.@distinctUnionOfObjects.member.@count == 3 │ = │ error
        author.books.@distinctUnionOfObjects.copies.@count == 2 │ = │ error
        author.books.@distinctUnionOfArrays.tags.@count == 2 │ = │ none
        author.books.@unionOfArrays.tags.@count == 3 │ = │ none
        author.books.@distinctUnionOfSets.genres.@count == 2 │ = │ none
        author.books.@unionOfSets.genres.@count == 3 │ = │ none
        SELF.title == 'Emma' │ title == "Emma" │ 1
        self.title == 'Emma' │ title == "Emma" │ 1
        SELF.author.name BEGINSWITH 'J' │ author.name BEGINSWITH "J" │ 1 2
        SELF == SELF │ = │ all
        SELF != SELF │ = │ none
        SELF == nil │ = │ none
        info.weight > 1 │ = │ 5
        info.weight == nil │ = │ 2 3 4 6 7 8
        info.nested.deep == 7 │ = │ 1
        info.missing == nil │ = │ all
        #size == 'octavo' │ #size == "octavo" │ 1
        #SIZE.length > 3 OR TRUEPREDICATE │ = │ error
        size.length == 6 │ #size.length == 6 │ 1
        title.length == 4 │ = │ 1
        title.length > 10 │ = │ 5 8
        title.length BETWEEN {6, 10} │ = │ 2 3 4 6 7
        title.uppercaseString == 'EMMA' │ title.uppercaseString == "EMMA" │ 1
        title.lowercaseString == 'emma' │ title.lowercaseString == "emma" │ 1
        website.host == 'example.org' │ website.host == "example.org" │ 1
        website.absoluteString CONTAINS 'example' │ website.absoluteString CONTAINS "example" │ 1
        identifier.UUIDString ENDSWITH '7' │ identifier.UUIDString ENDSWITH "7" │ 7
        cover.length == 3 │ = │ 1
        published.timeIntervalSinceReferenceDate > 0 │ = │ none
        pages.stringValue == '96' │ pages.stringValue == "96" │ 4
        title.self == 'Emma' │ title.#self == "Emma" │ 1
        info.#first == 'a' │ info.#first == "a" │ 1
        author.books.title == nil OR TRUEPREDICATE │ = │ all
        """#
}
