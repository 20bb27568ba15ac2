/// Programs and inputs whose answers jq 1.6 gives as the manual of 1.7 does: each filter runs on each input.
enum OracleCases {
    static let inputs = [
        "null", "true", "5", "-1.5", #""a,b, c""#, #"[3,1,2,null,"x",[1,[2]],{"a":1}]"#, "[[1,2],[3,4]]",
        #"{"a":{"b":[1,2,3]},"c":"text","d":null,"e":false}"#, #"[{"a":1,"b":2},{"a":3,"b":1},{"a":1,"b":0}]"#, "[]",
        "{}",
    ]

    static let filters = #"""
        .
        ..
        .a
        .a.b
        .a?
        .[]
        .[]?
        .[0]
        .[-1]
        .[1:]
        .[:2]
        .[:-1]
        .["a"]?
        .a.b[1:]?
        .a.b?
        (.a.b)?
        [.a[]?]
        [(.a|.[])?]
        [.[]?.a?]
        length
        utf8bytelength
        keys
        keys_unsorted
        type
        not
        tostring
        tojson
        tojson|fromjson
        tonumber
        sort
        sort_by(.a)
        sort_by(.a, .b)
        group_by(.a)
        unique
        unique_by(.a)
        min
        max
        min_by(.a)
        max_by(.a)
        add
        any
        all
        flatten
        flatten(1)
        reverse
        first
        last
        to_entries
        with_entries(.value |= tostring)
        map(.)
        map(.a?)
        map_values(.)
        map_values(empty)
        paths
        leaf_paths
        [paths(type == "number")]
        [path(..)]
        del(.a)
        del(.[0])
        del(.[0,1])
        del(.[])
        del(.a.b[0,2])?
        delpaths([["a","b"]])
        has("a")
        has(0)
        contains("a")
        contains([1])
        inside([[1,2],[3,4],[5]])
        transpose
        ascii_downcase
        ascii_upcase
        explode
        split(",")
        split(", *"; null)
        join("-")
        ltrimstr("a")
        rtrimstr("c")
        startswith("a")
        endswith("c")
        test("a")
        [match("[a-z]"; "g").offset]
        sub("a"; "b")
        gsub("[abc]"; "<\(.)>")
        [scan("[a-c]")]
        capture("(?<x>[a-z])")
        indices(",")
        index(",")
        rindex(",")
        @text
        @json
        @html
        @uri
        @csv
        @tsv
        @sh
        @base64
        @base64|@base64d
        "x\(.)y"
        @json "v=\(.)"
        . + 1
        . + null
        . - 1
        . * 2
        . / 2
        . % 2
        -.
        . == 5
        . < 3
        . and true
        . or false
        . // "none"
        .a // .c // 7
        .[0] // "none"
        (.a,.c)?
        try error catch .
        try error("x") catch .
        if . then 1 else 2 end
        if .a? then .a else "no" end
        [.[]?|numbers]
        [..|scalars]
        [..|numbers]
        reduce .[]? as $x (0; . + 1)
        reduce .[] as $x (null; $x)
        [foreach .[]? as $x (0; . + 1; [., $x])]
        [limit(2; .[]?)]
        first(.[]?)
        [first(range(10), error)]
        isempty(.[]?)
        [.[]?] | length
        {a: .}
        {x: 1, "y": 2, ("z"): 3}
        [recurse(if type == "array" then .[] else empty end)]
        walk(if type == "number" then . + 1 else . end)
        . as [$a, $b] | [$b, $a]
        . as {a: $x} | $x
        . as {$a, c: $y} | [$a, $y]
        .a = 1
        .a |= 1
        .[0] = 9
        .[2] |= 7
        .[1:] = [8]
        .a += 1
        .a //= 4
        .[] += 1
        .[]? |= tostring
        .a.b[1] = "new"
        setpath(["a"]; 5)
        getpath(["a","b"])
        [getpath(["a","b"], ["c"])?]
        path(.a[0].b?)
        [path(.. | select(type == "number"))]
        path(first(.a, .b))
        path(if .a? then .a else .c end)
        path(getpath(["a", "b"]))
        path(.a // .c)
        try path(tostring) catch "no path"
        label $out | 1, break $out, 2
        [label $f | .[]? | ., break $f]
        def f: . as $x | [$x]; f
        def f(g): [g, g]; f(type)
        def f($a; $b): $a + $b; f(1; 2)
        [range(5)]
        [range(2; 5)]
        [range(0; 10; 3)]
        [range(5; 0; -2)]
        [range(0, 1; 3, 4)]
        [while(. != null; null)] | length
        [.[]?] | map([.]) | add
        [splits(", *"; null)?]
        [1,2,3] | combinations?
        [[1,2],[3,4]] | [combinations]
        [limit(3; repeat(1))]
        [until(true; .)]
        tojson | length
        implode
        todate
        fromdate
        (.a, .b) = 1
        (.a | .b)? |= 3
        .. |= .
        [.[]?] | .[1:3] |= map([.])
        to_entries | from_entries
        [.[]? | {a: .}] | map(has("a"))
        {(.c? // "k" | tostring): 1}
        [.[]? as [$x] | $x]
        [.[]? as [$x] ?// $x | $x]
        getpath(["x", 0])
        error(null)?
        [.[]?, 1] | any
        splits("a")
        ltrimstr(1)
        tojson == tojson
        @base32
        floor
        sqrt
        fabs
        round
        pow(.; 2)
        log
        isnan
        infinite | floor
        [nan] | sort
        nan < nan
        [nan, 1] | min
        {} | .a.b.c = 1
        null | .[2] = 1
        {"a": 1} * {"a": {"b": 2}}
        {"a": {"c": 1}} * {"a": {"b": 2}}
        [1,2,3,1] - [1]
        "a,b" / ","
        "x" * 3
        "x" * 0
        5 / 2
        5 % -2
        -5 % 3
        1 / ([0] | .[0])
        1 % ([0] | .[0])
        [1,2] | .[1.7]
        "abc" | .[1:2]
        "aéz" | .[1:]
        [1,2,1,2] | indices([1,2])
        "a\u0000b"
        [.[]?|tojson]
        try error({"a": 1}) catch .a
        try (1, error("x"), 3) catch .
        [.[]? | try error catch .]
        try ((1, 2) | error) catch .
        .[["a"]]?
        [1,[2]] | getpath([1, 0])
        tostream
        [tostream]
        fromstream(tostream)
        [1|truncate_stream([[0],1],[[1,0],2],[[1,0]],[[1]])]
        {"a":[1,{"b":2}]} | [tostream]
        [{"a":1}, {"a":2}] | INDEX(.a)
        [2, 3] | IN([2, 3], 1)
        2 | IN(1, 2)
        bsearch(1)
        [1, 2, 4] | bsearch(3), bsearch(4)
        ascii_downcase? // "none"
        "test" | test("T"; "i")
        "aXbxc" | [splits("x"; "i")]
        "foo bar" | [match("(?<first>[a-z]+) (?<second>[a-z]+)") | .captures[].name]
        "xyz" | match("(a)?y").captures
        "aaa" | [match(""; "g").offset]
        "abc" | sub("(?<x>b)"; "[\(.x)]")
        "abAB" | gsub("a"; "z"; "i")
        "abc" | [gsub("(?<d>.)"; "\(.d)1", "\(.d)2")] | length
        "日本語" | [match("本").offset]
        1425599621 | todate
        "2015-03-05T23:51:47Z" | fromdate
        "2015-03-05T23:51:47Z" | strptime("%Y-%m-%dT%H:%M:%SZ")
        1425599621 | gmtime
        1425599621 | strftime("%A, %B %d, %Y")
        """#
        .split(separator: "\n").map(String.init)
}
