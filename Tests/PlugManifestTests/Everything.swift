/// A manifest with every key of the language.
let everyKey = #"""
    plug: every-key
    api: 1
    version: 1.20.3
    released: "2026-11-21"
    namespace: everything
    hosts: [api.x.org, "127.0.0.1:9930", "*.wikipedia.org", "{{ config.instance }}"]
    application:
      info: {name: E, headline: H, description: {text: T}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s, published: true}
      developer: {id: d, name: D, url: "https://u.example", country: no}
    config:
      user: {type: string, title: Who, default: no}
      api_key: {type: string, secret: true}
      instance: {type: host, default: "127.0.0.1:9930"}
      count: {type: integer, default: 9007199254740993}
      ratio: {type: number, default: 1.10}
      deep: {type: boolean, default: true}
      start: {type: date, default: 2020-01-01}
      units: {type: string, enum: [metric, imperial], default: metric}
    vars:
      agent: "every/1 ({{ config.user }})"
      again: "{{ vars.agent }}!"
    auth: {key: {in: header, name: X-Key, value: "{{ config.api_key }}"}}
    http:
      base: https://api.x.org/v1
      headers: {Accept: application/json, X-Agent: "{{ vars.again }}"}
      timeout: 45s
      max_body: 64MiB
      limits: [{rate: 100/15m}, {rate: 5/1s, burst: 2}, {concurrency: 4}, {match: /search, rate: 20/1m}]
      retry: {tries: 3, max_wait: 1h}
      on:
        - {status: 404, do: skip}
        - {status: [403, 5xx], if: '.message == config.user', do: limit}
      error: '.errors[0].text // headers["x-error"]'
    streams:
      boards:
        request: {path: /boards}
        records: .
        page: {number: {param: p, from: 0}, in: query, more: .more, total: .total, stop: empty, max: 7}
      cards:
        endpoint: cards/all
        for_each: {in: boards, as: board}
        request:
          method: POST
          path: "/boards/{{ board.id }}/cards"
          query: {limit: 50, since: "{{ since // null }}", deep: "{{ config.deep }}"}
          headers: {X-Page: "{{ page.number // 0 }}"}
          json: {who: "{{ config.user }}", n: 1.10, list: [a, "{{ config.count }}"], none: null, text: "is {{ config.count }}"}
        records: .items
        page: {cursor: {from: .meta.next, param: after}, in: json}
        since:
          field: .at
          type: epoch_ms
          from: "{{ config.start }}"
          send: {query: {after: epoch_ms}}
          until: {query: {before: rfc3339}}
          overlap: 1h
          order: asc
        key: [.id, board.id]
        version: .updated
        map: |
          {id, board: board.id, user: config.user}
        drop_if: .closed
        fields:
          a: time
          b: {date: {format: ["%d.%m.%Y", epoch], zone: Europe/Berlin}}
          c: {integer: {group: "'"}}
          d: {decimal: {point: ",", group: " "}}
          e: {string: true}
          f: {boolean: {true: [yes, 1], false: [no, 0]}}
          g: any
        unknown: report
        raw: hash
        every: 15m
        tests: [{in: {id: 1.10, at: no}, out: [null]}]
      links: {endpoint: l, request: {path: "{{ vars.agent }}"}, page: {link: next}, key: .id, version: none}
      offsets:
        endpoint: o
        identity: off
        request: {path: "https://en.wikipedia.org/w", query: {}}
        page: {offset: {param: o, from: 1, size: 100, size_param: n}, stop: short}
        since: {field: .id, type: integer, send: {query: {min: value}}, overlap: 10}
      nexts: {endpoint: n, identity: on, request: {path: /n}, page: {next: .next, add_query: true}, key: [.id], version: none}
      days:
        endpoint: days
        request: {method: POST, path: /days, query: {to: "{{ until }}"}, json: {}}
        since:
          field: [.updated, .created]
          type: time
          from: 2020-01-01
          to: "{{ now | minus(\"1d\") }}"
          send: {json: {filter.at.from: "%Y-%m-%d %H:%M:%S"}}
          until: {header: {X-Until: epoch_us}}
          window: 30d
          granule: 1us
          bounds: open
          settle: 5m
          filter: true
        key: .id
        version: none
      feed:
        endpoint: feed
        request: {path: /feed}
        since: {field: .at, type: time, order: desc, stop: known}
        key: .id
        version: none
    """#
