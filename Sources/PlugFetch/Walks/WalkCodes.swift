internal import PlugCore

/// The codes of walks through pages.
enum WalkCodes {
    static let all: [PlugError.Code] = [
        .childrenGone, .pageLimit, .childFailed, .childrenFailed, .forEachList, .skipIfFailed, .pageMore,
        .pageTokenMissing, .totalUnmet, .pagesUnmet, .pageCountMissing, .pagesUnsettled, .pageCountWrong,
        .pageCut, .pagesUnjoined, .pageProgramFailed, .pageToken, .pageLink, .paginationEmpty, .paginationEscape,
        .paginationLoop, .recordsFailed, .recordsMissing, .pageTokenDoubtful, .pageKeyMissing, .moreWithoutPage,
        .pagesShifted, .cursorRefused, .placeRefused,
    ]
}

extension PlugError.Code {
    static let childrenGone = Self(
        "children-gone",
        exit: .failed,
        "Ten children in a row were answered with 404 or 410, and none was found. If a pass has fewer than ten "
            + "children and all of them are gone, this is only a warning.",
        "Check the child's path. If all of them may be gone, write 'do: skip' in 'http.on'."
    )

    static let pageLimit = Self(
        "page-limit",
        exit: .tryLater,
        "The stream has more pages than 'page.max'.",
        "Raise 'page.max'; the next run continues where this one stopped."
    )

    static let childFailed = Self(
        "child-failed",
        "The records of one parent could not be read; those of the other parents were.",
        "See the error. The next run tries again."
    )

    static let childrenFailed = Self(
        "children-failed",
        exit: .failed,
        "A stream with 'for_each' was read to its end, except for parents whose requests failed. Nothing is lost: "
            + "the next run reads them again.",
        "Request the address in the message by hand. If such an answer is expected, define in "
            + "'http.on' what it means."
    )

    static let forEachList = Self(
        "for-each-list",
        exit: .configuration,
        "'for_each.list' gives something other than a list of texts, numbers and objects, or more than 100000 of them; or the "
            + "lists of a 'for_each' have more than 1000000 combinations.",
        example: "for_each: {list: '{{ config.ids }}', as: id} with --config ids='[[1]]'",
        "Check what the list is made of: config of type list, or a program that gives [ ]."
    )

    static let skipIfFailed = Self(
        "skip-if-failed",
        exit: .data,
        "'for_each.skip_if' failed on a parent's record. Nothing is read for any parent on that page, so that none is read that "
            + "should have been left out.",
        example: "skip_if: '.name | test(\"x\")' where a record has no name",
        "Allow for members that some records lack: '.name // \"\" | test(\"x\")'."
    )

    static let pageMore = Self(
        "page-more",
        exit: .data,
        "'page.more' gave something other than true or false, for example because a name is misspelt. Treating "
            + "that as the end could leave records unread.",
        "Check the program. If the last page leaves the member out, add '// false'."
    )

    static let pageTokenMissing = Self(
        "page-token-missing",
        exit: .data,
        "The first page is full, but its answer has no member where 'page.next' or 'page.cursor.from' looks for "
            + "the next page: either there is no other page, or the program is misspelt.",
        "Check the program. If the last page leaves the member out, add '// null'."
    )

    static let totalUnmet = Self(
        "total-unmet",
        exit: .data,
        "The last page of a pass was read, but all pages together have fewer records than 'page.total' gives: "
            + "paging may have stopped too early. If 'page.total' changes during a pass, the smallest number "
            + "counts. What was read is delivered, and the next run reads from the same watermark.",
        "Check 'page' first, especially 'stop'. 'total' must count what the request asks for: if it is an "
            + "estimate, or counts records that are not returned, leave it out."
    )

    static let pagesUnmet = Self(
        "pages-unmet",
        exit: .data,
        "The last page of a pass was read, but 'page.pages' says that there are more pages: paging may have stopped "
            + "too early. If 'page.pages' changes during a pass, the smallest number counts. What was read is "
            + "delivered, and the next run reads from the same watermark.",
        "Check 'page' first, especially 'stop' and 'more'. 'pages' must count pages of the size that is requested: "
            + "if it counts others, leave it out."
    )

    static let pageCountMissing = Self(
        "page-count-missing",
        "'page.total' or 'page.pages' gave null, nothing or no number in every answer of a pass, so it neither ends the "
            + "pages nor shows that some are missing. A text that holds a number is a number.",
        "Check the program against an answer. If the service does not know the number, leave the key out."
    )

    static let pagesUnsettled = Self(
        "pages-unsettled",
        "Records were added, deleted or moved so often while numbered pages were read that changes may have cancelled each other "
            + "out between requests. A record may have been missed without leaving a trace on any page.",
        "Page by 'offset' or by a cursor if the service has one, or request larger pages. To read everything again, use "
            + "'plughost run --since' with an earlier time."
    )

    static let pageCountWrong = Self(
        "page-count-wrong",
        "'page.total' or 'page.pages' says that a page was the last one, and the next page gave more records. The number counts "
            + "something else, such as the records of its own page. It is ignored for the rest of the pass, so nothing is lost.",
        "Check the program against two answers. If the service does not say how many there are in all, leave the key out."
    )
    static let pageCut = Self(
        "page-cut",
        "Pages have fewer records than were requested, but more pages follow: the service has a maximum page size "
            + "of its own. 'stop: short' would leave the rest unread; the run noticed because "
            + "the size is a round number.",
        "Request the size that the service returns (in the request, or with 'size'), or write 'stop: empty'."
    )

    static let pagesUnjoined = Self(
        "pages-unjoined",
        exit: .failed,
        "Pages by number or offset shifted repeatedly while they were read, and records may have been skipped. The "
            + "watermark stays, so the next run reads from there again.",
        "Page by a cursor if the service has one, or ask for larger pages."
    )

    static let pageProgramFailed = Self(
        "page-program-failed",
        exit: .data,
        "A program of 'page' failed on an answer.",
        "Try it on the answer with 'plughost jq'."
    )

    static let pageToken = Self(
        "page-token",
        exit: .data,
        "The program for the next page gives something other than a text, a number or null.",
        "Make it give the token itself; null ends the pages."
    )

    static let pageLink = Self(
        "page-link",
        exit: .data,
        "A 'Link' header names a next page in a form that cannot be read. The records of its page are delivered.",
        "Look at the header with 'plughost try --trace'. A link is <ADDRESS>; rel=\"next\". If the body names the next page, too, use "
            + "'page: {next: …}' or 'page: {cursor: …}'."
    )

    static let paginationEmpty = Self(
        "pagination-empty",
        exit: .data,
        "More than twenty pages in a row had no records, and each named another page.",
        "Check 'records' and 'page'; the next run continues there."
    )

    static let paginationEscape = Self(
        "pagination-escape",
        exit: .data,
        "A next link, a redirect or a parent's link leads outside 'hosts', leads from https to http, or "
            + "is not a usable address.",
        "If the plug is meant to follow it, add the host to 'hosts'; credentials are not sent there. plughost "
            + "never follows a link from https to http: make 'page.next' give an https address, as '.next | "
            + "sub(\"^http:\"; \"https:\")' does."
    )

    static let paginationLoop = Self(
        "pagination-loop",
        exit: .data,
        "A page names one that this pass has already read, or page after page holds the same records. A source "
            + "that lists the newest records first looks the same if it grows by exactly one "
            + "page between two requests.",
        "Check 'page': its parameter may be misspelt, or its token the wrong one. If the source grows that fast, "
            + "run it again: the next run starts a new pass. A cursor or larger pages avoid this."
    )

    static let recordsFailed = Self(
        "records-failed",
        exit: .data,
        "The program 'records' failed on an answer.",
        "Try it on the answer with 'plughost jq'."
    )

    static let recordsMissing = Self(
        "records-missing",
        exit: .data,
        "'records' gives null or nothing, so it found no records in the answer.",
        "If an empty page leaves them out, write 'records: .items // []'."
    )

    static let pageTokenDoubtful = Self(
        "page-token-doubtful",
        "The last page has no member where 'page.next' or 'page.cursor.from' looks for the next page, and it may be "
            + "full: a first page with a round number of records, which may be the service's page size, or "
            + "a later page with as many records as the ones before. The program may be misspelt, or the service leaves "
            + "the member out on its last page. With 'page: {link: next}' it is a full first page whose answer has no 'Link' "
            + "header for pages: it may be the only page, or the service names the next one elsewhere.",
        "Check the program. If the last page leaves the member out, add '// null'. Request as many "
            + "records as the service returns. For 'link', look at the answer's headers with 'plughost try --trace'."
    )

    static let pageKeyMissing = Self(
        "page-key-missing",
        "The stream has no 'page' and so reads one page, but its answer says that there is more, with a member such as 'has_more' or "
            + "'next_cursor', or in a 'Link' header; or it has exactly as many records as a constant of the request asks for. "
            + "'plughost try' and 'plughost run --dry-run' also tell of such a page with 'page: none', and of one with a usual number "
            + "of records, such as 100.",
        example: "{\"items\": […], \"has_more\": true, \"next_cursor\": \"abc\"} and no 'page'",
        "Write 'page': 'page: {cursor: {from: .next_cursor, param: cursor}}', 'page: {next: .next}' or 'page: {link: next}'. If "
            + "the first page is all you want, write 'page: none'."
    )

    static let moreWithoutPage = Self(
        "more-without-page",
        exit: .data,
        "'page.more' says that there is another page, but the answer has no token or address for it. This is an error, because "
            + "records may be missing. If pages are counted, or the page is empty, it is only a warning; with numbered pages, 20 "
            + "empty ones are followed first.",
        "Check 'page': the program for the next page's token or address, and 'page.more' itself."
    )

    static let pagesShifted = Self(
        "pages-shifted",
        "Records were deleted or moved at the source while pages by number or offset were read. The run went back "
            + "and read again from where the pages join.",
        "Nothing is lost. A cursor, if the service has one, needs fewer requests."
    )

    static let cursorRefused = Self(
        "cursor-refused",
        "The source no longer knows the saved cursor, according to a rule with 'do: reread'. Everything is read again.",
        "Do nothing: what was delivered is not delivered again."
    )

    static let placeRefused = Self(
        "place-refused",
        "The source does not accept the position where the last run stopped; the pass starts over.",
        "Do nothing: what was delivered is not delivered again."
    )
}
