extension FormatTable {
    /// String operators.
    static let strings = #"""
        title BEGINSWITH 'E' │ title BEGINSWITH "E" │ 1
        title BEGINSWITH 'e' │ title BEGINSWITH "e" │ none
        title beginswith[c] 'e' │ title BEGINSWITH[c] "e" │ 1
        title BEGINSWITH[cd] 'stras' │ title BEGINSWITH[cd] "stras" │ 8
        title BEGINSWITH '' │ title BEGINSWITH "" │ all
        title ENDSWITH 'a' │ title ENDSWITH "a" │ 1
        title ENDSWITH[c] 'E' │ title ENDSWITH[c] "E" │ 3 5
        title ENDSWITH 't' │ title ENDSWITH "t" │ 6
        title EndsWith[cd] "süden\n2" │ title ENDSWITH[cd] "süden\n2" │ 8
        title CONTAINS 'a' │ title CONTAINS "a" │ 1 2 5 6 8
        title CONTAINS 'A' │ title CONTAINS "A" │ none
        title CONTAINS[c] 'A' │ title CONTAINS[c] "A" │ 1 2 5 6 8
        title contains[cd] "suden" │ title CONTAINS[cd] "suden" │ 8
        title CONTAINS[d] 'Suden' │ title CONTAINS[d] "Suden" │ 8
        title CONTAINS '*' │ title CONTAINS "*" │ 8
        title CONTAINS '%' │ title CONTAINS "%" │ 7
        title CONTAINS '?' │ title CONTAINS "?" │ 7
        title CONTAINS[n] 'and' │ title CONTAINS[n] "and" │ 5
        title CONTAINS '' │ title CONTAINS "" │ all
        title CONTAINS "\n" │ = │ 8
        title LIKE 'E*' │ title LIKE "E*" │ 1
        title LIKE 'e*' │ title LIKE "e*" │ none
        title LIKE[c] 'e*' │ title LIKE[c] "e*" │ 1
        title LIKE '*a' │ title LIKE "*a" │ 1
        title LIKE '*a*' │ title LIKE "*a*" │ 1 2 5 6 8
        title LIKE '????' │ title LIKE "????" │ 1
        title LIKE 'E?ma' │ title LIKE "E?ma" │ 1
        title LIKE[cd] '*straße*' │ title LIKE[cd] "*straße*" │ 8
        title LIKE[cd] 'STRASSE*' │ title LIKE[cd] "STRASSE*" │ 8
        title LIKE '*\\**' │ title LIKE "*\\**" │ 8
        title LIKE '*Wool\\?' │ title LIKE "*Wool\\?" │ 7
        title LIKE 'Emma' │ title LIKE "Emma" │ 1
        title LIKE '*' │ title LIKE "*" │ all
        title LIKE '' │ title LIKE "" │ none
        title LIKE '* *' │ title LIKE "* *" │ 5 7 8
        author.name LIKE '*ë' │ author.name LIKE "*ë" │ 3
        author.name LIKE[d] '*te' │ author.name LIKE[d] "*te" │ 3
        author.name LIKE 'Jane*' │ author.name LIKE "Jane*" │ 1 2
        title MATCHES 'Emma' │ title MATCHES "Emma" │ 1
        title MATCHES 'Em' │ title MATCHES "Em" │ none
        title MATCHES 'Em.*' │ title MATCHES "Em.*" │ 1
        title MATCHES '.*a' │ title MATCHES ".*a" │ 1
        title MATCHES '[A-Z]\\.[A-Z]\\.[A-Z]\\.' │ title MATCHES "[A-Z]\\.[A-Z]\\.[A-Z]\\." │ 4
        title MATCHES[c] 'emma' │ title MATCHES[c] "emma" │ 1
        title MATCHES 'Emma|Villette' │ title MATCHES "Emma|Villette" │ 1 3
        title MATCHES 'E|Emma' │ title MATCHES "E|Emma" │ 1
        title MATCHES '^Emma$' │ title MATCHES "^Emma$" │ 1
        title MATCHES '\\d+%.*' │ title MATCHES "\\d+%.*" │ 7
        title MATCHES '(?s).*\\d' │ title MATCHES "(?s).*\\d" │ 8
        title MATCHES '\\p{Lu}\\p{Ll}+' │ title MATCHES "\\p{Lu}\\p{Ll}+" │ 1 2 3 6
        author.name MATCHES[d] 'Karel Capek' │ author.name MATCHES[d] "Karel Capek" │ 4 6
        author.name MATCHES '.*\\p{L}' │ author.name MATCHES ".*\\p{L}" │ 1 2 3 4 5 6
        author.name CONTAINS[cd] 'capek' │ author.name CONTAINS[cd] "capek" │ 4 6
        author.name CONTAINS[d] 'capek' │ author.name CONTAINS[d] "capek" │ none
        author.name CONTAINS[c] 'čapek' │ author.name CONTAINS[c] "čapek" │ 4 6
        author.name == 'Karel Čapek' │ author.name == "Karel Čapek" │ 4 6
        author.name ==[cd] 'karel capek' │ author.name ==[cd] "karel capek" │ 4 6
        author.name BEGINSWITH 'K' │ author.name BEGINSWITH "K" │ 4 6
        author.name ENDSWITH[cd] 'TE' │ author.name ENDSWITH[cd] "TE" │ 3
        size CONTAINS 'oct' │ #size CONTAINS "oct" │ 1
        NOT size CONTAINS 'oct' │ NOT #size CONTAINS "oct" │ 2 3 4 5 6 7 8
        'abc' CONTAINS 'b' │ "abc" CONTAINS "b" │ all
        'abc' BEGINSWITH[cd] 'Á' │ "abc" BEGINSWITH[cd] "Á" │ all
        tags CONTAINS 'classic' │ tags CONTAINS "classic" │ 1 2 5
        tags CONTAINS[c] 'bomb' │ tags CONTAINS[c] "bomb" │ 6
        tags CONTAINS[cd] 'ete' │ tags CONTAINS[cd] "ete" │ 8
        tags CONTAINS 'bomb' │ tags CONTAINS "bomb" │ none
        pages CONTAINS '4' OR TRUEPREDICATE │ pages CONTAINS "4" OR TRUEPREDICATE │ error
        identifier CONTAINS '0003' │ identifier CONTAINS "0003" │ error
        website BEGINSWITH 'https' │ website BEGINSWITH "https" │ 1
        title ==[l] 'Emma' │ title ==[l] "Emma" │ 1
        title <[l] 'F' │ title <[l] "F" │ 1 7
        title ==[cl] 'emma' │ title ==[cl] "emma" │ 1
        """#
}
