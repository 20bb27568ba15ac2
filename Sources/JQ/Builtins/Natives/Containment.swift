import LosslessJSON

/// `contains`: part of a text, elements of an array, members of an object.
enum Containment {
    /// The maximum number of levels compared, as in jq.
    private static let depthLimit = 10_000

    static func contains(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        var question = (a, b)
        var open: [Search] = []
        asking: while true {
            if open.count > depthLimit { throw JQError("Containment check too deep") }
            var answer: Bool?
            switch (question.0.rank, question.1.rank) {
            case (5, 5), (6, 6): open.append(try Search(question.0, question.1, meter))
            case (4, 4): answer = try texts(question.0, question.1, meter)
            case let (x, y) where x == y: answer = try isEqual(question.0, question.1, meter)
            // It is an error only for the two values themselves.
            case _ where !open.isEmpty: answer = false
            default: throw Failure.refused(a, b, "cannot have their containment checked")
            }
            try meter.step()
            while let last = open.indices.last {
                switch try open[last].goOn(answer, meter) {
                case .asks(let own, let wanted):
                    question = (own, wanted)
                    continue asking
                case .knows(let result):
                    answer = result
                    open.removeLast()
                }
            }
            return answer ?? false
        }
    }

    /// What is searched for in one container.
    private struct Search {
        enum Outcome {
            case asks(Value, Value)
            case knows(Bool)
        }

        /// The object's members, `nil` for an array.
        private let members: ValueObject?
        private let elements: [Value]
        private let keys: [JSONString]
        private let wanted: [Value]
        /// The index of the wanted part being searched for, and of the element that may contain it.
        private var next = 0
        private var candidate = 0

        init(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) {
            members = a.rank == 6 ? try a.object(meter) : nil
            elements = a.rank == 5 ? try a.array(meter) ?? [] : []
            keys = b.rank == 6 ? try b.object(meter)?.members.map(\.key) ?? [] : []
            wanted = try b.members(meter) ?? []
            try meter.step((keys.count + elements.count) / 16)
        }

        /// - Parameter answer: The answer to the last question, `nil` before the first.
        mutating func goOn(_ answer: Bool?, _ meter: Meter) throws(JQError) -> Outcome {
            if let members {
                if answer == false { return .knows(false) }
                guard next < wanted.count else { return .knows(true) }
                guard let own = members[keys[next]] else { return .knows(false) }
                next += 1
                return .asks(own, wanted[next - 1])
            }
            if answer == true {
                next += 1
                candidate = 0
            } else if answer == false {
                candidate += 1
            }
            guard next < wanted.count else { return .knows(true) }
            if candidate == 0 { try meter.step(elements.count / 16) }
            let rank = wanted[next].rank
            while candidate < elements.count, elements[candidate].rank != rank { candidate += 1 }
            return candidate < elements.count ? .asks(elements[candidate], wanted[next]) : .knows(false)
        }
    }

    private static func isEqual(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        let isEqual = Order.compare(a, b, meter) == 0
        try meter.check()
        return isEqual
    }

    private static func texts(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        let wanted = Array((b.asText ?? "").utf8)
        if wanted.isEmpty { return true }
        try meter.copy(bytes: wanted.count + (a.asText?.utf8.count ?? 0))
        return try !StringFunctions.places(of: wanted, in: Array((a.asText ?? "").utf8), overlapping: false, meter)
            .isEmpty
    }
}
