/// One request of a stream.
extension Tables {
    private static let besideRequest = "write it in the stream, beside 'request'"

    static let request = KeyTable(
        "a request",
        [
            .key(
                "method",
                .choice(Request.Method.allCases.map(\.rawValue), refused: Request.Method.refused),
                default: "GET",
                "The method, which is required if there is a body. Methods that are defined to change something, and GET with a "
                    + "body, are for services that read with them."
            ),
            .key("path", .template, required: true, "The path below http.base, or a URL."),
            .key("query", .names(.template), "Query parameters."),
            .key("headers", .names(.template), "Headers, in addition to those of http."),
            .key(
                "arrays",
                .choice(Request.ArrayStyle.allCases.map(\.rawValue)),
                default: Request.ArrayStyle.repeat.rawValue,
                "How a list is spelled in query and form: ids=1&ids=2, ids[]=1&ids[]=2 or ids=1,2."
            ),
            .key(
                "json",
                .anything,
                excludes: ["form", "text", "graphql"],
                "A JSON body; its texts may be templates."
            ),
            .key("form", .names(.template), excludes: ["text", "graphql"], "The fields of a form body."),
            .key("text", .template, excludes: ["graphql"], "A body of plain text."),
            .key("graphql", .table(graphQL), "A GraphQL query; its method is POST."),
        ],
        instead: [
            "params": "write 'query'", "body": "write 'json'", "url": "write 'path'", "page": besideRequest,
            "decode": besideRequest, "records": besideRequest, "since": besideRequest,
        ]
    )

    static let graphQL = KeyTable(
        "graphql",
        [
            .key(
                "query",
                .text,
                required: true,
                example: "things.graphql",
                "The query, or the name of a .graphql file beside the manifest; it has no templates."
            ),
            .key("variables", .anything, "Its variables; their texts may be templates."),
        ]
    )
}
