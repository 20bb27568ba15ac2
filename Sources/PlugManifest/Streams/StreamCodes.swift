package import PlugCore

/// The codes of streams.
enum StreamCodes {
    static let all: [PlugError.Code] = [
        .streamCycle, .forEachTooDeep, .onlyChanged, .unchangedExcludes, .groupSince, .groupMember,
        .hostOutside, .baseMissing, .badDecoding, .cursorSensitive, .equalExcludes, .testUnfit,
        .deletesIdentity, .rereadNeedsSince, .deletesMissing, .deletesRange, .deletesVersion,
        .unknownNeedsFields, .rawMember, .pageDecoded, .noStreams, .keyRequired, .jsonNeedsPost, .stopNeedsSize,
        .sizeMissing, .shrinkNeedsSize, .resetNeedsBound, .stopNeedsToken, .pagingFiltered, .bodyMissing,
        .queryFile, .queryVariable, .cursorUnused, .placeWithoutParam, .versionMissing, .versionDenied, .identityOff,
        .open(.unknownStream),
    ]
}

extension PlugError.Code {
    static let streamCycle = Self(
        "stream-cycle",
        exit: .configuration,
        "Streams depend on each other, or one depends on itself.",
        example: "a: {for_each: {in: a}}",
        "Read one of them without the other."
    )

    static let forEachTooDeep = Self(
        "for-each-too-deep",
        exit: .configuration,
        "A stream is read for more than 16 streams and lists, counting those that its parents are read for.",
        example: "for_each: [{in: a, as: x}, {in: b, as: y}, …]",
        "Leave some of them out."
    )

    static let onlyChanged = Self(
        "only-changed",
        exit: .configuration,
        "'only: changed' reads children only for those parents that the parent stream gives as new or changed. It needs one "
            + "parent stream, with a 'since' of its own, or with 'only: changed' in its own 'for_each'.",
        example: "for_each: {list: [a, b], only: changed}",
        "Add 'since' to the parent stream, or remove 'only'."
    )

    static let unchangedExcludes = Self(
        "unchanged-excludes",
        exit: .configuration,
        "'unchanged: skip' does not read a parent again whose page is unchanged. It needs a single page, requested with GET, for "
            + "one for_each, without 'since', a Link to other pages or 'deletes: {missing: true}'.",
        example: "for_each: {in: boards, unchanged: skip} with since: {field: .at, type: time}",
        "Remove 'unchanged', or what it excludes."
    )

    static let groupSince = Self(
        "group-since",
        exit: .configuration,
        "With 'group' one request is made for several parents, and a record does not show which of them it belongs to. So no "
            + "parent has a position of its own, which 'since' would need.",
        example: "for_each: {in: boards, group: 50} with since: {field: .at, type: time}",
        "Remove 'group' or 'since'."
    )

    static let groupMember = Self(
        "group-member",
        exit: .configuration,
        "With 'group' one request is made for several parents, and 'parent' is their list. A list has no members with names.",
        example: "for_each: {in: boards, group: 50} with path: \"/boards/{{ parent.id }}\"",
        "query: {ids: '{{ [parent[].id | tostring] | join(\",\") }}'}"
    )

    package static let hostOutside = Self(
        "host-outside",
        exit: .configuration,
        "A URL leads to a host that is not in 'hosts': in the manifest, or in a run after "
            + "the templates are rendered.",
        example: "base: https://other.org",
        "hosts: [api.example.org, other.org]"
    )

    static let baseMissing = Self(
        "base-missing",
        exit: .configuration,
        "A path is relative, but there is no http.base.",
        example: "request: {path: /me}",
        "http: {base: https://api.example.org}"
    )

    static let badDecoding = Self(
        "bad-decoding",
        exit: .configuration,
        "'decode' describes impossible answers: an unknown encoding, a separator of several characters, an invalid path.",
        example: "decode: {csv: {separator: ', '}}",
        "decode: {csv: {separator: ','}}"
    )

    static let cursorSensitive = Self(
        "cursor-sensitive",
        exit: .configuration,
        "'since.field' reads a member that 'fields' calls sensitive. Its greatest value is the stream's cursor, which 'run', 'runs show' "
            + "and 'connection show' print.",
        example: "since: {field: .at, …}, fields: {at: {time, sensitive: true}}",
        "Take another member for 'since.field', or leave 'sensitive' out."
    )

    static let equalExcludes = Self(
        "equal-excludes",
        exit: .configuration,
        "'equal: count' tells records with equal keys apart by a number in their '_id'. Without '_id' there is nothing to number, "
            + "and a deletion with such a key does not say which of them it means.",
        example: "rows: {key: [.day, .sum], equal: count, identity: off}",
        "Remove what it excludes, or 'equal: count'."
    )

    static let testUnfit = Self(
        "test-unfit",
        exit: .configuration,
        "An inline test gives or expects something that its stream does not have: a parent without 'for_each', or a part of '_id' "
            + "of a record that has none.",
        example: "tests: [{in: {id: 1}, parent: {id: a}, out: {id: 1}, key: \"a,1\"}]",
        "Remove the key from the test."
    )

    static let deletesIdentity = Self(
        "deletes-identity",
        exit: .configuration,
        "A deletion names the '_id' of the deleted record, but the stream has 'identity: off'.",
        example: "things: {identity: off, deletes: {field: .deleted}}",
        "Remove 'identity: off'."
    )

    static let rereadNeedsSince = Self(
        "reread-needs-since",
        exit: .configuration,
        "'do: reread' forgets where a stream stopped, so that it reads everything again. Without 'since' and 'page' there is no "
            + "such position.",
        example: "on: [{status: 410, do: reread}] in a stream without since and page",
        "Remove the rule."
    )

    static let deletesMissing = Self(
        "deletes-missing",
        exit: .configuration,
        "'deletes: {missing: true}' compares each complete pass with the one before. A stream that asks only for what is new finds "
            + "almost nothing, and all other records would count as deleted.",
        example: "things: {since: {field: .updated_at, type: time}, deletes: {missing: true}}",
        "Remove 'since' (or 'only: changed'), or name the member that marks a deletion: deletes: {field: .deleted}"
    )

    static let deletesRange = Self(
        "deletes-range",
        exit: .configuration,
        "'deletes: {missing: true}' counts records that a pass no longer finds as deleted. A request that depends on the clock "
            + "asks for a different range in each pass, and records before that range would count as deleted.",
        example: "request: {path: '/events?from={{ now }}'} with deletes: {missing: true}",
        "Ask for everything, or for a fixed range, such as from {{ config.start }}."
    )

    static let deletesVersion = Self(
        "deletes-version",
        exit: .configuration,
        "A stream with 'deletes' says that its records never change. A record that reappears after its deletion would count as "
            + "known, and so would its second deletion.",
        example: "things: {version: none, deletes: {field: .deleted}}",
        "version: .updated_at"
    )

    static let unknownNeedsFields = Self(
        "unknown-needs-fields",
        exit: .configuration,
        "'unknown' says what happens to members that 'fields' does not name, but there are no 'fields': no member would be left.",
        example: "things: {unknown: drop}",
        "things: {unknown: drop, fields: {id: any, at: time}}"
    )

    static let rawMember = Self(
        "raw-member",
        exit: .configuration,
        "'raw' puts the source's record into the member 'raw', and 'map' or 'fields' has a member of that name.",
        example: "things: {raw: keep, map: '{id, raw: .data}'}",
        "things: {raw: keep, map: '{id, data}'}"
    )

    static let pageDecoded = Self(
        "page-decoded",
        exit: .configuration,
        "With 'decode', the programs of 'page' see how many records an answer has and the last of them, and its headers. A program "
            + "that looks for something else finds nothing, and the pages would end.",
        example: "decode: csv with page: {cursor: {from: .meta.next, param: after}}",
        "page: {cursor: {from: .last.id, param: after}}"
    )

    static let noStreams = Self(
        "no-streams",
        exit: .configuration,
        "A plug without streams reads nothing.",
        example: "streams: {}",
        "Add a stream."
    )

    static let keyRequired = Self(
        "key-required",
        exit: .configuration,
        "A stream with an endpoint needs a key, which identifies its records.",
        example: "things: {endpoint: things}",
        "key: [.id]"
    )

    static let jsonNeedsPost = Self(
        "json-needs-post",
        exit: .configuration,
        "A request with a body needs a method: POST, or GET if the service reads the body of a GET request.",
        example: "request: {path: /q, json: {}}",
        "request: {method: POST, path: /q, json: {}}"
    )

    static let stopNeedsSize = Self(
        "stop-needs-size",
        exit: .configuration,
        "'stop: short' needs to know how many records a full page has.",
        example: "page: {number: {param: p}, stop: short}",
        "query: {limit: 50}"
    )

    static let sizeMissing = Self(
        "size-missing",
        exit: .configuration,
        "'size_param' requests a page size, but 'size' does not give one.",
        example: "page: {number: {param: p, size_param: per_page}}",
        "page: {number: {param: p, size: 100, size_param: per_page}}"
    )

    static let shrinkNeedsSize = Self(
        "shrink-needs-size",
        exit: .configuration,
        "'do: shrink' asks for the same place again with half the page size. plughost has to send that size: with 'size' and "
            + "'size_param' of 'number', 'offset' or 'cursor', or with {{ page.size }} in the request.",
        example: "on: [{status: 413, do: shrink}] with page: {next: .next}",
        "page: {cursor: {from: .next, param: after, size: 100, size_param: limit}}"
    )

    static let resetNeedsBound = Self(
        "reset-needs-bound",
        exit: .configuration,
        "'do: reset_page' keeps what was read and continues the search from the last record's value. So the stream needs 'since' "
            + "with 'order: asc' and 'send', with 'order: desc' and 'until', or with a 'window' that can be halved.",
        example: "on: [{status: 400, do: reset_page}] with since: {field: .at, type: time}",
        "since: {field: .at, type: time, order: asc, send: {query: {from: time}}}"
    )

    static let stopNeedsToken = Self(
        "stop-needs-token",
        exit: .configuration,
        "'number' and 'offset' have no token that could be missing.",
        example: "page: {number: {param: p}, stop: token}",
        "stop: empty"
    )

    static let pagingFiltered = Self(
        "paging-filtered",
        exit: .configuration,
        "With 'number' and 'offset', a page without records is the last one. select( ) in 'records' can leave a "
            + "page empty. If 'records' does not begin with a path, plughost cannot tell how many "
            + "records the source sent.",
        example: "records: '(.a + .b)[] | select(.kind == \"a\")' with page: {number: {param: page}}",
        "Begin with the list ('.items[] | select(.a)'), leave records out with drop_if, or say in page.more "
            + "whether there is another page."
    )

    static let bodyMissing = Self(
        "body-missing",
        exit: .configuration,
        "'in', of a page or of 'auth', names a body that the request does not have, or a place in it that is not a mapping.",
        example: "request: {method: POST, path: /q, text: a}, page: {cursor: {from: .c, param: c}, in: json}",
        "Write the body that 'in' names, or another 'in'."
    )

    static let queryFile = Self(
        "query-file",
        exit: .configuration,
        "'graphql.query' names a file that cannot be read. It must be in the manifest's folder or below it: no path with '..', no "
            + "link, at most 256 KiB of UTF-8 text.",
        example: "graphql: {query: ../queries/things.graphql}",
        "graphql: {query: things.graphql}"
    )

    static let queryVariable = Self(
        "query-variable",
        exit: .configuration,
        "A variable is sent that the GraphQL query does not have, or the query names one only once, so that it is declared and not "
            + "used, or used and not declared. Services leave out variables that a query does not declare, so a misspelt one changes "
            + "nothing.",
        example:
            "graphql: {query: \"query($since: Int) {items(since: $since) {id}}\", variables: {snce: \"{{ since }}\"}}",
        "Write the same name in 'variables' (or 'since.send.variables', 'page … param'), in the query's head and where it is used."
    )

    static let cursorUnused = Self(
        "cursor-unused",
        exit: .configuration,
        "'cursor', 'number' or 'offset' has no 'param', and no template of the request sends the page's token or number.",
        example: "page: {cursor: {from: .next}}",
        "page: {cursor: {from: .next, param: after}}"
    )

    static let placeWithoutParam = Self(
        "place-without-param",
        exit: .configuration,
        "'next' and 'link' have no parameter to put into the body, a value that templates send cannot be left out, and only URLs "
            + "from an answer can lack a parameter.",
        example: "page: {next: .n, in: json}",
        "Remove in, only_first, omit_first or add_query."
    )

    static let versionMissing = Self(
        "version-missing",
        "A record that changes keeps its key; without a version the change would not be stored.",
        example: "key: [.id]",
        "version: .updated_at, or version: none for records that never change."
    )

    static let versionDenied = Self(
        "version-denied",
        "'version: none' says that records never change, and 'since.field' looks like the time of a change: what the service gives "
            + "because it has changed counts as known, and its change is not delivered.",
        example: "since: {field: .updated_at, …} and version: none",
        "Write 'version: .updated_at' or 'version: content'. If records never change, take the time at which they were made for 'since'."
    )

    static let identityOff = Self(
        "identity-off",
        "Without _id, an equal record elsewhere in the PDA counts as this one, and delivery cannot be proved.",
        example: "identity: off",
        "Leave it on unless the shape of the records is fixed by others."
    )
}

extension PlugError.Code.Open {
    package static let unknownStream = Self(
        "unknown-stream",
        "'for_each' or --stream names a stream that the manifest does not have. Or --stream names one without an "
            + "'endpoint', which is read for its children only.",
        example: "for_each: {in: bords}",
        "for_each: {in: boards}; the error lists the streams."
    )
}
