/// The builtin functions that are written in jq.
enum Prelude {
    static let definitions: [String: JQSyntax.Definition] = {
        // The text is a constant of this file; a test parses it.
        let all = (try? JQParser.definitions(source)) ?? []
        return Dictionary(
            all.map { ("\($0.name)/\($0.parameters.count)", $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }()

    static let source = #"""
        def select(f): if f then . else empty end;
        def map(f): [.[] | f];
        def map_values(f): .[] |= f;
        def recurse(f): def r: ., (f | r); r;
        def recurse(f; cond): def r: ., (f | select(cond) | r); r;
        def values: select(. != null);
        def nulls: select(. == null);
        def booleans: select(type == "boolean");
        def numbers: select(type == "number");
        def strings: select(type == "string");
        def arrays: select(type == "array");
        def objects: select(type == "object");
        def iterables: select(type | . == "array" or . == "object");
        def scalars: select(type | . != "array" and . != "object");
        def finites: select(isfinite);
        def normals: select(isnormal);
        def isvalid(f): try (f | true) catch false;
        def add(f): reduce f as $x (null; . + $x);
        def del(f): delpaths([path(f)]);
        def paths: path(..) | select(length > 0);
        def paths(f): path(.. | select(f)) | select(length > 0);
        def leaf_paths: paths(scalars);
        def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
        def from_entries: reduce .[] as $e ({};
            . + { ($e | if .key == null then .k // .name // .Name // .K // .Key else .key end
                    | if type == "string" then . else tojson end):
                ($e | if has("value") then .value elif has("v") then .v else .Value end) });
        def with_entries(f): to_entries | map(f) | from_entries;
        def sort_by(f): _sort_by(map([f]));
        def group_by(f): _group_by(map([f]));
        def unique_by(f): _unique_by(map([f]));
        def min_by(f): _min_by(map([f]));
        def max_by(f): _max_by(map([f]));
        def flatten: _flatten(1e9);
        def flatten($depth): _flatten($depth);
        def any: reduce .[] as $x (false; . or $x);
        def all: reduce .[] as $x (true; . and $x);
        def any(f): any(.[]; f);
        def all(f): all(.[]; f);
        def isempty(g): label $empty | (g | false, break $empty), true;
        def any(generator; condition): isempty(first(generator | condition | select(.))) | not;
        def all(generator; condition): isempty(first(generator | condition | select(. | not)));
        def in(xs): . as $x | xs | has($x);
        def inside(xs): . as $x | xs | contains($x);
        def first: .[0];
        def last: .[-1];
        def nth($n): .[$n];
        def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
        def until(cond; update): def _until: if cond then . else (update | _until) end; _until;
        def while(cond; update): def _while: if cond then ., (update | _while) else empty end; _while;
        def repeat(f): def _repeat: f, _repeat; _repeat;
        def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
        def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
        def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
        def indices($i): _indices($i);
        def index($i): _indices($i) | .[0];
        def rindex($i): _indices($i) | .[-1:][0];
        def ascii: [.] | implode;
        def isfinite: type == "number" and (isinfinite | not);
        def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
        def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
        def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
        def fromdate: fromdateiso8601;
        def date: todate;
        def match(re; mode): _splits_match(re; mode; false) | .[];
        def match($val): ($val | type) as $vt | if $vt == "string" then match($val; null)
            elif $vt == "array" and ($val | length) > 1 then match($val[0]; $val[1])
            elif $vt == "array" and ($val | length) > 0 then match($val[0]; null)
            else error($vt + " not a string or array") end;
        def test(re; mode): _splits_match(re; mode; true);
        def test($val): ($val | type) as $vt | if $vt == "string" then test($val; null)
            elif $vt == "array" and ($val | length) > 1 then test($val[0]; $val[1])
            elif $vt == "array" and ($val | length) > 0 then test($val[0]; null)
            else error($vt + " not a string or array") end;
        def _captures: [.captures | .[] | select(.name != null) | { key: .name, value: .string }] | from_entries;
        def capture(re; mods): match(re; mods) | _captures;
        def capture($val): match($val) | _captures;
        def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures | .[] | .string]
            else .string end;
        def scan($re): scan($re; null);
        def splits($re; flags): split($re; flags) | .[];
        def splits($re): splits($re; null);
        def split($re; flags): _between([match($re; flags + "g")]);
        def sub($re; str; $flags): . as $in | [match($re; $flags)] as $edits
            | if ($edits | length) == 0 then $in
              else _substitute($edits; [$edits[] | [_captures | str]])[] end;
        def sub($re; str): sub($re; str; "");
        def gsub($re; str; $flags): sub($re; str; $flags + "g");
        def gsub($re; str): sub($re; str; "g");
        def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
        def fromstream(f): { x: null, e: false } as $init
            | foreach f as $i ($init;
                if .e then $init else . end
                | if $i | length == 2
                  then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
                  else setpath(["e"]; $i[0] | length == 1) end;
                if .e then .x else empty end);
        def truncate_stream(stream): . as $n | null | stream | . as $input
            | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
        def INDEX(stream; idx): reduce stream as $row ({}; .[$row | idx | tostring] |= $row);
        def JOIN($rows; key): [.[] | [., $rows[key]]];
        def JOIN($rows; stream; key): stream | [., $rows[key]];
        def JOIN($rows; stream; key; join): stream | [., $rows[key]] | join;
        def INDEX(idx): INDEX(.[]; idx);
        def IN(s): any(s == .; .);
        def IN(src; s): any(src == s; .);
        def skip($n; f): if $n > 0 then foreach f as $x ($n; . - 1; if . < 0 then $x else empty end)
            elif $n == 0 then f else error("skip doesn't support negative count") end;
        """#
}
