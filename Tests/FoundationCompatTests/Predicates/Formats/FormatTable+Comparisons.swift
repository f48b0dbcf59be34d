extension FormatTable {
    /// Comparisons: =, ==, <, >, their other spellings, and values of every kind.
    static let comparisons = #"""
        title = 'Emma' │ title == "Emma" │ 1
        title == "Emma" │ = │ 1
        title == 'emma' │ title == "emma" │ none
        title ==[c] 'emma' │ title ==[c] "emma" │ 1
        title ==[cd] "ÉMMA" │ = │ 1
        title != 'Emma' │ title != "Emma" │ 2 3 4 5 6 7 8
        title <> 'Emma' │ title != "Emma" │ 2 3 4 5 6 7 8
        title !=[c] 'EMMA' │ title !=[c] "EMMA" │ 2 3 4 5 6 7 8
        pages > 300 │ = │ 1 3 5 6
        pages >= 320 │ = │ 1 3 5 6
        pages => 320 │ pages >= 320 │ 1 3 5 6
        pages < 96 │ = │ 8
        pages <= 96 │ = │ 4 8
        pages =< 96 │ pages <= 96 │ 4 8
        pages == nil │ = │ 7
        pages != nil │ = │ 1 2 3 4 5 6 8
        pages = NULL │ pages == nil │ 7
        pages != NULL │ pages != nil │ 1 2 3 4 5 6 8
        nil == pages │ = │ 7
        pages == NIL │ pages == nil │ 7
        pages < nil │ = │ none
        pages > nil │ = │ none
        pages <= nil │ = │ none
        price == nil │ = │ 6
        price > 9.99 │ = │ 3 5
        price >= 9.99 │ = │ 1 3 5
        price == 9.99 │ = │ 1
        price == 7.5 │ = │ 2
        price == 0.1 │ = │ 8
        price < 5 │ = │ 7 8
        price == 0 │ = │ 7
        rating > 4 │ = │ 1 2 5
        rating == 4.1 │ = │ 1
        rating == 0.1 │ = │ 8
        rating >= 4.1 AND rating <= 4.2 │ = │ 1 2
        copies == -1 │ = │ 8
        copies < 0 │ = │ 8
        copies > -2 │ = │ all
        copies == 1.0 │ copies == 1 │ 2 6 7
        copies <= 1 │ = │ 2 4 6 7 8
        inPrint == YES │ inPrint == 1 │ 1 2 3 5 7
        inPrint == NO │ inPrint == 0 │ 4 6 8
        inPrint == TRUE │ inPrint == 1 │ 1 2 3 5 7
        inPrint == false │ inPrint == 0 │ 4 6 8
        inPrint == 1 │ = │ 1 2 3 5 7
        inPrint = 0 │ inPrint == 0 │ 4 6 8
        inPrint != TRUE │ inPrint != 1 │ 4 6 8
        TRUE == inPrint │ 1 == inPrint │ 1 2 3 5 7
        published < CAST(0, "NSDate") │ published < CAST(0.000000, "NSDate") │ 1 2 3 4 5 6
        published > CAST(0, "NSDate") │ published > CAST(0.000000, "NSDate") │ none
        published == CAST(0.000000, "NSDate") │ = │ 8
        published == nil │ = │ 7
        published > CAST(-3155760000, "NSDate") │ published > CAST(-3155760000.000000, "NSDate") │ 4 6 8
        title < 'F' │ title < "F" │ 1 7
        title > 'Persuasion' │ title > "Persuasion" │ 3 4 5 8
        title >= 'Persuasion' │ title >= "Persuasion" │ 2 3 4 5 8
        title <= 'Emma' │ title <= "Emma" │ 1 7
        title <[c] 'emmb' │ title <[c] "emmb" │ 1 7
        'Emma' == title │ "Emma" == title │ 1
        300 < pages │ = │ 1 3 5 6
        5 = 5 │ 5 == 5 │ all
        5 = 6 │ 5 == 6 │ none
        'a' < 'b' │ "a" < "b" │ all
        'b' < 'a' │ "b" < "a" │ none
        'a' ==[c] 'A' │ "a" ==[c] "A" │ all
        'é' ==[d] 'e' │ "é" ==[d] "e" │ all
        'É' ==[cd] 'e' │ "É" ==[cd] "e" │ all
        'é' == 'e' │ "é" == "e" │ none
        'ß' ==[c] 'SS' │ "ß" ==[c] "SS" │ all
        'Σ' ==[c] 'ς' │ "Σ" ==[c] "ς" │ all
        'ｶ' ==[cd] 'ｶ' │ "ｶ" ==[cd] "ｶ" │ all
        'İ' ==[cd] 'i' │ "İ" ==[cd] "i" │ all
        'ı' ==[c] 'I' │ "ı" ==[c] "I" │ none
        'Å' ==[d] 'A' │ "Å" ==[d] "A" │ all
        'ñ' ==[n] 'n' │ "ñ" ==[n] "n" │ none
        'a' ==[nc] 'A' │ "a" ==[cn] "A" │ none
        1 == '1' │ 1 == "1" │ none
        1 == TRUE │ 1 == 1 │ all
        1.0 == 1 │ 1 == 1 │ all
        9007199254740993 == 9007199254740992.0 │ 9007199254740993 == 9007199254740992 │ none
        18446744073709551615 > 9223372036854775807 │ = │ all
        0x1F == 31 │ 31 == 31 │ all
        0b101 == 5 │ 5 == 5 │ all
        0o17 == 15 │ 15 == 15 │ all
        1e3 == 1000 │ 1000 == 1000 │ all
        1.5e-1 == .15 │ 0.15 == 0.15 │ all
        -5 < +5 │ -5 < 5 │ all
        - 5 == -5 │ -5 == -5 │ all
        identifier == CAST("00000000-0000-0000-0000-000000000003", "NSUUID") │ = │ 3
        website == CAST("https://example.org/emma", "NSURL") │ = │ 1
        website == nil │ = │ 2 3 4 5 6 7 8
        cover == CAST("AQID", "NSData") │ = │ 1
        cover != nil │ = │ 1
        author == nil │ = │ 7 8
        author != nil │ = │ 1 2 3 4 5 6
        author == author │ = │ all
        size == 'octavo' │ #size == "octavo" │ 1
        """#
}
