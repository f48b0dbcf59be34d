extension FormatTable {
    /// Functions.
    static let functions = #"""
        sum({1, 2, 3}) == 6 │ sum:({1, 2, 3}) == 6 │ all
        sum:({1, 2, 3}) == 6 │ = │ all
        sum(1, 2, 3) == 6 │ sum:(1, 2, 3) == 6 │ all
        count({1, 2}) == 2 │ count:({1, 2}) == 2 │ all
        count(tags) == 2 │ count:(tags) == 2 │ 1 5 6 8
        count:(loans) > 1 │ = │ 1 5
        min({3, 1, 2}) == 1 │ min:({3, 1, 2}) == 1 │ all
        max({3, 1, 2}) == 3 │ max:({3, 1, 2}) == 3 │ all
        max(loans.days) == 60 │ max:(loans.days) == 60 │ 4
        min:(loans.days) < 14 │ = │ 2 5
        average({1, 2, 3, 4}) == 2.5 │ average:({1, 2, 3, 4}) == 2.5 │ all
        average(loans.days) == 22 │ average:(loans.days) == 22 │ 1
        median({1, 9, 3}) == 3 │ median:({1, 9, 3}) == 3 │ all
        median({1, 2, 3, 4}) == 2.5 │ median:({1, 2, 3, 4}) == 2.5 │ all
        mode({1, 2, 2, 3}) == {2} │ mode:({1, 2, 2, 3}) == {2} │ all
        stddev({2, 4, 4, 4, 5, 5, 7, 9}) == 2 │ stddev:({2, 4, 4, 4, 5, 5, 7, 9}) == 2 │ all
        sqrt(16) == 4 │ sqrt:(16) == 4 │ all
        sqrt(-1) == nil │ sqrt:(-1) == nil │ all
        log(1000) == 3 │ log:(1000) == 3 │ all
        ln(1) == 0 │ ln:(1) == 0 │ all
        exp(0) == 1 │ exp:(0) == 1 │ all
        raise:toPower:(2, 10) == 1024 │ 2 ** 10 == 1024 │ all
        abs(-5) == 5 │ abs:(-5) == 5 │ all
        abs(copies) == 1 │ abs:(copies) == 1 │ 2 6 7 8
        floor(3.7) == 3 │ floor:(3.7) == 3 │ all
        ceiling(3.2) == 4 │ ceiling:(3.2) == 4 │ all
        trunc(-3.7) == -3 │ trunc:(-3.7) == -3 │ all
        floor(rating) == 4 │ floor:(rating) == 4 │ 1 2 5
        ceiling(price) == 10 │ ceiling:(price) == 10 │ 1
        add:to:(1, 2) == 3 │ 1 + 2 == 3 │ all
        from:subtract:(5, 2) == 3 │ 5 - 2 == 3 │ all
        multiply:by:(2, 3) == 6 │ 2 * 3 == 6 │ all
        divide:by:(6, 3) == 2 │ 6 / 3 == 2 │ all
        bitwiseAnd:with:(6, 3) == 2 │ = │ all
        bitwiseOr:with:(6, 3) == 7 │ = │ all
        bitwiseXor:with:(6, 3) == 5 │ = │ all
        leftshift:by:(1, 4) == 16 │ = │ all
        rightshift:by:(16, 4) == 1 │ = │ all
        onesComplement(0) == -1 │ onesComplement:(0) == -1 │ all
        bitwiseAnd:with:(copies, 1) == 1 │ = │ 1 2 5 6 7 8
        uppercase(title) == 'EMMA' │ uppercase:(title) == "EMMA" │ 1
        uppercase:(title) == 'EMMA' │ uppercase:(title) == "EMMA" │ 1
        lowercase(title) BEGINSWITH 'e' │ lowercase:(title) BEGINSWITH "e" │ 1
        canonical(author.name) == 'karel capek' │ canonical:(author.name) == "karel capek" │ 4 6
        canonical:('Straße') == 'strasse' │ canonical:("Straße") == "strasse" │ all
        length(title) == 8 │ length:(title) == 8 │ 3 6
        length:('') == 0 │ length:("") == 0 │ all
        now() > published │ = │ 1 2 3 4 5 6 8
        now() - 60 < now() │ = │ all
        random() >= 0 │ = │ all
        randomn(10) < 10 │ randomn:(10) < 10 │ all
        noindex:(title) == 'Emma' │ noindex:(title) == "Emma" │ 1
        distanceToLocation:fromLocation:(info, info) == nil │ = │ all
        TERNARY(pages > 300, 'long', 'short') == 'long' │ TERNARY(pages > 300, "long", "short") == "long" │ 1 3 5 6
        TERNARY(inPrint == YES, copies, 0) > 1 │ TERNARY(inPrint == 1, copies, 0) > 1 │ 1 3 5
        TERNARY(TRUEPREDICATE, 1, 2) == 1 │ = │ all
        CAST('5', 'NSNumber') == 5 │ 5 == 5 │ all
        CAST(5, 'NSString') == '5' │ CAST(5, "NSString") == "5" │ all
        CAST(pages, 'NSString') == '96' │ CAST(pages, "NSString") == "96" │ 4
        CAST(published, 'NSNumber') == 0 │ CAST(published, "NSNumber") == 0 │ 8
        CAST("1.10", "NSDecimalNumber") == 1.1 │ 1.1 == 1.1 │ all
        CAST(price, 'NSInteger') == 9 │ CAST(price, "NSInteger") == 9 │ 1
        CAST({1, 1, 2}, 'NSSet').@count == 2 │ CAST({1, 2}, "NSSet").@count == 2 │ all
        FUNCTION(title, 'uppercaseString') == 'EMMA' │ FUNCTION(title, "uppercaseString") == "EMMA" │ 1
        FUNCTION(title, 'hasPrefix:', 'E') == YES │ FUNCTION(title, "hasPrefix:", "E") == 1 │ 1
        FUNCTION(title, 'stringByAppendingString:', '!') == 'Emma!' │ FUNCTION(title, "stringByAppendingString:", "!") == "Emma!" │ 1
        FUNCTION(title, 'substringFromIndex:', 2) == 'ma' │ FUNCTION(title, "substringFromIndex:", 2) == "ma" │ 1
        FUNCTION(tags, 'objectAtIndex:', 0) == 'classic' OR title == 'Villette' │ FUNCTION(tags, "objectAtIndex:", 0) == "classic" OR title == "Villette" │ 1 2 3 5
        FUNCTION(SELF, 'valueForKey:', 'title') == 'Emma' │ title == "Emma" │ 1
        FUNCTION(author, 'valueForKeyPath:', 'books.@count') == 2 │ author.books.@count == 2 │ 1 2 4 6
        FUNCTION(published, 'dateByAddingTimeInterval:', 60) > published │ FUNCTION(published, "dateByAddingTimeInterval:", 60) > published │ 1 2 3 4 5 6 8
        FUNCTION(tags, 'count') == 2 │ FUNCTION(tags, "count") == 2 │ 1 5 6 8
        """#
}
