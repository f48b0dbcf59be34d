extension HandwrittenRequest {
    /// 52 requests; with those for groups, 60.
    static let typical: [HandwrittenRequest] = server + books + cocktails + journal

    private static let server: [HandwrittenRequest] = [
        .init(.server, "Bot", nil, by: "name", "SELECT Z_PK FROM ZBOT ORDER BY ZNAME"),
        .init(
            .server, "Bot", "name ENDSWITH 'iOS'", by: "-name",
            "SELECT Z_PK FROM ZBOT WHERE ZNAME LIKE '% iOS' ORDER BY ZNAME DESC"),
        .init(.server, "Bot", "name BEGINSWITH[cd] 'pöcket'", "SELECT Z_PK FROM ZBOT WHERE ZNAME LIKE 'Pocket%'"),
        .init(
            .server, "Integration", "result == 'succeeded' AND duration > 300",
            "SELECT Z_PK FROM ZINTEGRATION WHERE ZRESULT = 'succeeded' AND ZDURATION > 300"),
        .init(
            .server, "Integration", "bot.name == 'Bakeshop iOS'", by: "-number", limit: 10,
            """
            SELECT i.Z_PK FROM ZINTEGRATION i JOIN ZBOT b ON i.ZBOT = b.Z_PK WHERE b.ZNAME = 'Bakeshop iOS'
            ORDER BY i.ZNUMBER DESC LIMIT 10
            """),
        .init(
            .server, "Integration", nil, by: "bot.name -number", limit: 20, offset: 30,
            """
            SELECT i.Z_PK FROM ZINTEGRATION i LEFT JOIN ZBOT b ON i.ZBOT = b.Z_PK ORDER BY b.ZNAME, i.ZNUMBER DESC
            LIMIT 20 OFFSET 30
            """),
        .init(
            .server, "Integration", "NOT (result IN {'succeeded', 'warnings'})",
            "SELECT Z_PK FROM ZINTEGRATION WHERE ZRESULT NOT IN ('succeeded', 'warnings') OR ZRESULT IS NULL"),
        .init(
            .server, "Integration", "duration BETWEEN {100, 200}",
            "SELECT Z_PK FROM ZINTEGRATION WHERE ZDURATION BETWEEN 100 AND 200"),
        .init(
            .server, "Integration", "endedTime >= CAST(500000000, 'NSDate') AND startedTime != nil", by: "endedTime",
            "SELECT Z_PK FROM ZINTEGRATION WHERE ZENDEDTIME >= 500000000 AND ZSTARTEDTIME IS NOT NULL ORDER BY ZENDEDTIME"
        ),
        .init(
            .server, "Integration", "buildResultSummary.warningCount > 0 OR buildResultSummary.errorCount > 0",
            """
            SELECT i.Z_PK FROM ZINTEGRATION i JOIN ZBUILDRESULTSUMMARY s ON s.Z_PK = i.ZBUILDRESULTSUMMARY
            WHERE s.ZWARNINGCOUNT > 0 OR s.ZERRORCOUNT > 0
            """),
        .init(
            .server, "Bot", "integrations.@count > 20",
            "SELECT Z_PK FROM ZBOT b WHERE (SELECT COUNT(*) FROM ZINTEGRATION WHERE ZBOT = b.Z_PK) > 20"),
        .init(
            .server, "Bot", "ANY integrations.result == 'test-failures'",
            "SELECT DISTINCT ZBOT FROM ZINTEGRATION WHERE ZRESULT = 'test-failures'"),
        .init(
            .server, "Bot", "ALL integrations.duration > 5",
            "SELECT Z_PK FROM ZBOT b WHERE NOT EXISTS (SELECT 1 FROM ZINTEGRATION WHERE ZBOT = b.Z_PK AND (ZDURATION > 5) IS NOT 1)"
        ),
        .init(
            .server, "Bot", "NONE integrations.result == 'internal-error'",
            """
            SELECT Z_PK FROM ZBOT WHERE Z_PK NOT IN
            (SELECT ZBOT FROM ZINTEGRATION WHERE ZRESULT = 'internal-error' AND ZBOT IS NOT NULL)
            """),
        .init(
            .server, "Bot", "SUBQUERY(integrations, $i, $i.result == 'succeeded' AND $i.duration > 300).@count >= 3",
            """
            SELECT ZBOT FROM ZINTEGRATION WHERE ZRESULT = 'succeeded' AND ZDURATION > 300 AND ZBOT IS NOT NULL
            GROUP BY ZBOT HAVING COUNT(*) >= 3
            """),
        .init(
            .server, "Bot", "integrations.@max.duration > 2000",
            "SELECT ZBOT FROM ZINTEGRATION WHERE ZBOT IS NOT NULL GROUP BY ZBOT HAVING MAX(ZDURATION) > 2000"),
        .init(
            .server, "Bot", "integrations.@avg.duration > 500",
            "SELECT ZBOT FROM ZINTEGRATION WHERE ZBOT IS NOT NULL GROUP BY ZBOT HAVING AVG(ZDURATION) > 500"),
        .init(
            .server, "Bot", "integrations.@sum.duration < 20000",
            "SELECT Z_PK FROM ZBOT b WHERE (SELECT IFNULL(SUM(ZDURATION), 0) FROM ZINTEGRATION WHERE ZBOT = b.Z_PK) < 20000"
        ),
        .init(
            .server, "Commit", "commitContributor.name == 'Richard Piazza' AND message CONTAINS[c] 'ingredient'",
            """
            SELECT c.Z_PK FROM ZCOMMIT c JOIN ZCOMMITCONTRIBUTOR k ON k.Z_PK = c.ZCOMMITCONTRIBUTOR
            WHERE k.ZNAME = 'Richard Piazza' AND c.ZMESSAGE LIKE '%ingredient%'
            """),
        .init(
            .server, "Commit", "timestamp >= '2017' AND timestamp < '2018'", by: "timestamp commitHash",
            "SELECT Z_PK FROM ZCOMMIT WHERE ZTIMESTAMP >= '2017' AND ZTIMESTAMP < '2018' ORDER BY ZTIMESTAMP, ZCOMMITHASH"
        ),
        .init(
            .server, "Commit", "commitChanges.@count == 1",
            "SELECT ZCOMMIT FROM ZCOMMITCHANGE WHERE ZCOMMIT IS NOT NULL GROUP BY ZCOMMIT HAVING COUNT(*) = 1"),
        .init(
            .server, "Commit", "ANY commitChanges.filePath ENDSWITH '.swift'",
            "SELECT DISTINCT ZCOMMIT FROM ZCOMMITCHANGE WHERE ZFILEPATH GLOB '*.swift' AND ZCOMMIT IS NOT NULL"),
        .init(
            .server, "CommitChange", "filePath LIKE '*.storyboard' AND status != 4",
            "SELECT Z_PK FROM ZCOMMITCHANGE WHERE ZFILEPATH GLOB '*.storyboard' AND ZSTATUS <> 4"),
        .init(
            .server, "CommitChange", "commit.commitContributor.name BEGINSWITH 'R'",
            by: "commit.timestamp filePath self", limit: 100,
            """
            SELECT x.Z_PK FROM ZCOMMITCHANGE x JOIN ZCOMMIT c ON c.Z_PK = x.ZCOMMIT
            JOIN ZCOMMITCONTRIBUTOR k ON k.Z_PK = c.ZCOMMITCONTRIBUTOR WHERE k.ZNAME GLOB 'R*'
            ORDER BY c.ZTIMESTAMP, x.ZFILEPATH, x.Z_PK LIMIT 100
            """),
        .init(
            .server, "CommitChange", "commit == nil OR filePath == nil OR status == 8192",
            "SELECT Z_PK FROM ZCOMMITCHANGE WHERE ZCOMMIT IS NULL OR ZFILEPATH IS NULL OR ZSTATUS = 8192"),
        .init(
            .server, "Device", "simulator == YES AND osVersion BEGINSWITH '10.'", by: "osVersion self",
            "SELECT Z_PK FROM ZDEVICE WHERE ZSIMULATOR = 1 AND ZOSVERSION GLOB '10.*' ORDER BY ZOSVERSION, Z_PK"),
        .init(
            .server, "Device", "ANY integrations.bot.name == 'Pocket Bot iOS'",
            """
            SELECT DISTINCT j.Z_9TESTEDDEVICES FROM Z_9INTEGRATIONS j JOIN ZINTEGRATION i ON i.Z_PK = j.Z_13INTEGRATIONS
            JOIN ZBOT b ON b.Z_PK = i.ZBOT WHERE b.ZNAME = 'Pocket Bot iOS'
            """),
        .init(
            .server, "Device", "integrations.@count == 0",
            "SELECT Z_PK FROM ZDEVICE WHERE Z_PK NOT IN (SELECT Z_9TESTEDDEVICES FROM Z_9INTEGRATIONS)"),
        .init(
            .server, "Integration", "testedDevices.@count > 3",
            "SELECT Z_13INTEGRATIONS FROM Z_9INTEGRATIONS GROUP BY 1 HAVING COUNT(*) > 3"),
        .init(
            .server, "Issue", "message MATCHES '.*deprecated.*' AND type IN {'warning', 'error'}",
            "SELECT Z_PK FROM ZISSUE WHERE ZMESSAGE LIKE '%deprecated%' AND ZTYPE IN ('warning', 'error')"),
        .init(
            .server, "Asset", "size > 1000000 AND NOT fileName ENDSWITH '.zip'", by: "-size self",
            "SELECT Z_PK FROM ZASSET WHERE ZSIZE > 1000000 AND ZFILENAME NOT LIKE '%.zip' ORDER BY ZSIZE DESC, Z_PK"),
        .init(
            .server, "Integration", "endedTime - startedTime > 1000",
            "SELECT Z_PK FROM ZINTEGRATION WHERE ZENDEDTIME - ZSTARTEDTIME > 1000"),
    ]

    private static let books: [HandwrittenRequest] = [
        .init(.books, "Book", "price > 5", "SELECT Z_PK FROM ZBOOK WHERE ZPRICE > 5"),
        .init(
            .books, "Book", "price == 10.11", by: "title", limit: 5,
            "SELECT Z_PK FROM ZBOOK WHERE ZPRICE = 10.11 ORDER BY ZTITLE LIMIT 5"),
        .init(.books, "Book", "entity.name == 'GraphicNovel'", "SELECT Z_PK FROM ZBOOK WHERE Z_ENT = 2"),
        .init(
            .books, "Book", "author.alias == 'Alessandro' AND pagesCount < 50",
            "SELECT b.Z_PK FROM ZBOOK b JOIN ZWRITER w ON w.Z_PK = b.ZAUTHOR WHERE w.ZALIAS = 'Alessandro' AND b.ZPAGESCOUNT < 50"
        ),
        .init(
            .books, "Book", "ANY pages.isBookmarked == NO",
            "SELECT DISTINCT ZBOOK FROM ZPAGE WHERE ZISBOOKMARKED = 0 AND ZBOOK IS NOT NULL"),
        .init(
            .books, "Author", "ANY books.pages.number > 50",
            """
            SELECT DISTINCT b.ZAUTHOR FROM ZBOOK b JOIN ZPAGE p ON p.ZBOOK = b.Z_PK
            WHERE p.ZNUMBER > 50 AND b.ZAUTHOR IS NOT NULL
            """),
        .init(
            .books, "Page", "book.author.age >= 40 AND number == 7", by: "book.title self",
            """
            SELECT p.Z_PK FROM ZPAGE p JOIN ZBOOK b ON b.Z_PK = p.ZBOOK JOIN ZWRITER w ON w.Z_PK = b.ZAUTHOR
            WHERE w.ZAGE >= 40 AND p.ZNUMBER = 7 ORDER BY b.ZTITLE, p.Z_PK
            """),
        .init(.books, "Writer", "age IN {30, 31}", "SELECT Z_PK FROM ZWRITER WHERE ZAGE IN (30, 31)"),
        .init(
            .books, "Feedback", "rating > 4.25 AND rating < 4.4 OR rating == 4.2",
            "SELECT Z_PK FROM ZFEEDBACK WHERE ZRATING BETWEEN 4.25 AND 4.4 OR ZRATING = 4.2"),
        .init(
            .books, "Page", "book.price < 4 AND isBookmarked == YES", by: "number self", limit: 30,
            """
            SELECT p.Z_PK FROM ZPAGE p JOIN ZBOOK b ON b.Z_PK = p.ZBOOK WHERE b.ZPRICE < 4 AND p.ZISBOOKMARKED = 1
            ORDER BY p.ZNUMBER, p.Z_PK LIMIT 30
            """),
    ]

    private static let cocktails: [HandwrittenRequest] = [
        .init(
            .cocktails, "Cocktail", "cocktailName CONTAINS[cd] 'manhattan'",
            "SELECT Z_PK FROM ZCOCKTAIL WHERE ZCOCKTAILNAME LIKE '%manhattan%'"),
        .init(
            .cocktails, "Cocktail", "author.place CONTAINS 'New York'", by: "cocktailName",
            "SELECT Z_PK FROM ZCOCKTAIL WHERE ZPLACE GLOB '*New York*' ORDER BY ZCOCKTAILNAME"),
        .init(
            .cocktails, "Cocktail", "ANY garnish.name BEGINSWITH 'Lemon'",
            "SELECT DISTINCT j.Z_1COCKTAILS FROM Z_1GARNISH j JOIN ZGARNISH g ON g.Z_PK = j.Z_2GARNISH WHERE g.ZNAME GLOB 'Lemon*'"
        ),
        .init(
            .cocktails, "Cocktail", "SUBQUERY(spec, $s, $s.unit.unit == 'oz' AND $s.value >= 2).@count > 0",
            "SELECT DISTINCT Z1SPEC FROM ZINGREDIENT WHERE ZUNIT = 'oz' AND ZVALUE >= 2 AND Z1SPEC IS NOT NULL"),
        .init(
            .cocktails, "Garnish", "cocktails.@count > 20",
            "SELECT Z_2GARNISH FROM Z_1GARNISH GROUP BY 1 HAVING COUNT(*) > 20"),
        .init(
            .cocktails, "Ingredient", "ingredientBase.name == 'Campari'",
            "SELECT i.Z_PK FROM ZINGREDIENT i JOIN ZINGREDIENTBASE b ON b.Z_PK = i.ZINGREDIENTBASE WHERE b.ZNAME = 'Campari'"
        ),
    ]

    private static let journal: [HandwrittenRequest] = [
        .init(
            .journal, "JournalEntry", "location == 'Rincon' AND rating == 5", by: "-date", limit: 10,
            "SELECT Z_PK FROM ZJOURNALENTRY WHERE ZLOCATION = 'Rincon' AND ZRATING = 5 ORDER BY ZDATE DESC LIMIT 10"),
        .init(
            .journal, "JournalEntry", "location CONTAINS[c] 'beach' AND rating IN {1, 2}",
            by: "location rating date self",
            """
            SELECT Z_PK FROM ZJOURNALENTRY WHERE ZLOCATION LIKE '%beach%' AND ZRATING IN (1, 2)
            ORDER BY ZLOCATION, ZRATING, ZDATE, Z_PK
            """),
        .init(
            .journal, "JournalEntry", "height > '8' AND wind < '1'", by: "self", limit: 50, offset: 5,
            "SELECT Z_PK FROM ZJOURNALENTRY WHERE ZHEIGHT > '8' AND ZWIND < '1' ORDER BY Z_PK LIMIT 50 OFFSET 5"),
        .init(
            .journal, "JournalEntry", "rating * 2 >= 9 AND NOT location BEGINSWITH 'M'",
            "SELECT Z_PK FROM ZJOURNALENTRY WHERE ZRATING * 2 >= 9 AND ZLOCATION NOT GLOB 'M*'"),
    ]
}
