import LosslessJSON

/// The place of a value inside another one.
struct JSONPlace: Sendable, Hashable {
    /// One step down.
    enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
    }

    var steps: [Step]

    init(_ steps: [Step] = []) { self.steps = steps }

    /// The place of a member below this one.
    func member(_ name: String) -> JSONPlace { JSONPlace(steps + [.member(name)]) }

    /// The place of an element below this one.
    func element(_ index: Int) -> JSONPlace { JSONPlace(steps + [.element(index)]) }

    /// Whether this place is the other one, or is inside it.
    func isInside(_ other: JSONPlace) -> Bool { steps.starts(with: other.steps) }

    /// Whether any of its ancestors is `null` in a value.
    func isBelowNull(in value: JSONValue) -> Bool {
        steps.indices.contains { value.at(JSONPlace(Array(steps[..<$0])))?.isNull == true }
    }

    /// The name of the nearest member, empty for none.
    var name: String {
        for case .member(let name) in steps.reversed() { return name }
        return ""
    }

    /// In a program's notation: `.meta.next`.
    var text: String {
        let text = steps.map { step in
            switch step {
            case .member(let name): ".\(name)"
            case .element(let index): "[\(index)]"
            }
        }
        return text.isEmpty ? "." : text.joined()
    }
}

extension JSONValue {
    /// The value at a place, `nil` if there is none.
    func at(_ place: JSONPlace) -> JSONValue? {
        var value = self
        for step in place.steps {
            switch step {
            case .member(let name):
                guard let next = value[name] else { return nil }
                value = next
            case .element(let index):
                guard let elements = value.elements, elements.indices.contains(index) else { return nil }
                value = elements[index]
            }
        }
        return value
    }

    /// The same with another value at a place; `nil` removes the old one. Missing or `null` objects on the way are created.
    func setting(_ place: JSONPlace, to new: JSONValue?) -> JSONValue {
        guard let step = place.steps.first else { return new ?? .null }
        let rest = JSONPlace(Array(place.steps.dropFirst()))
        switch step {
        case .member(let name):
            guard object != nil || isNull else { return self }
            var object = object ?? JSONObject()
            let key = JSONString(name)
            if rest.steps.isEmpty {
                object[key] = new
            } else if object[key] != nil || new != nil {
                object[key] = (object[key] ?? .null).setting(rest, to: new)
            }
            return .object(object)
        case .element(let index):
            guard var elements, elements.indices.contains(index) else { return self }
            if rest.steps.isEmpty, new == nil {
                elements.remove(at: index)
            } else {
                elements[index] = elements[index].setting(rest, to: new)
            }
            return .array(elements)
        }
    }

    /// The places of all texts, numbers and booleans, up to the limit, in order.
    func leaves(limit: Int = 400) -> [JSONPlace] {
        var places: [JSONPlace] = []
        collect(JSONPlace(), limit, &places) { value in
            switch value {
            case .string, .number, .bool: true
            default: false
            }
        }
        return places
    }

    /// The places of all lists, or of all objects, up to the limit, in order.
    func places(limit: Int, where isWanted: (JSONValue) -> Bool) -> [JSONPlace] {
        var places: [JSONPlace] = []
        collect(JSONPlace(), limit, &places, isWanted)
        return places.sorted { $0.steps.count < $1.steps.count }
    }

    private func collect(
        _ place: JSONPlace,
        _ limit: Int,
        _ places: inout [JSONPlace],
        _ isWanted: (JSONValue) -> Bool
    ) {
        guard places.count < limit, place.steps.count < 12 else { return }
        if isWanted(self) { places.append(place) }
        switch self {
        case .object(let object):
            for (key, value) in object.members { value.collect(place.member(key.text), limit, &places, isWanted) }
        case .array(let elements):
            for (index, value) in elements.enumerated() {
                value.collect(place.element(index), limit, &places, isWanted)
            }
        default: break
        }
    }
}
