import Glibc

/// A container that stands some levels above the deepest one inside it, so that what is deep is freed in pieces.
///
/// To free a container frees what is in it, which takes some hundred bytes of the native stack for each level. Between
/// one `Deep` and the next there are at most `spacing` levels, and what a `Deep` holds is freed after it and not inside
/// it: a value may be as deep as memory allows, whatever thread lets go of it.
///
/// - Note: `@unchecked Sendable` proof: the value is set once and taken out only by `deinit`, which nobody shares.
final class Deep: @unchecked Sendable {
    static let spacing: Int32 = 32

    private(set) var value: Value
    /// Whether it is an object and no array. To ask the value would make `Value.rank`, which is everywhere, call itself.
    let isObject: Bool

    init(_ value: Value) {
        self.value = value
        if case .object = value { isObject = true } else { isObject = false }
    }

    deinit {
        var last = Value.null
        swap(&last, &value)
        Remains.free(consume last)
    }
}

/// What one thread is freeing.
private final class Remains {
    private var values: [Value] = []

    /// `nil` where the process has no key left, of which there are a thousand: then all is freed at once.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    static func free(_ value: consuming Value) {
        guard let key else { return }
        if let running = pthread_getspecific(key) {
            // It is on this thread's stack, below this call: whoever put it there takes it away before it goes.
            Unmanaged<Remains>.fromOpaque(running).takeUnretainedValue().values.append(consume value)
            return
        }
        let remains = Remains()
        pthread_setspecific(key, Unmanaged.passUnretained(remains).toOpaque())
        remains.values.append(consume value)
        // What goes with a value, down to the next `Deep`, goes here; what that held is appended.
        while remains.dropLast() {}
        pthread_setspecific(key, nil)
    }

    @inline(never)
    private func dropLast() -> Bool { values.popLast() != nil }
}

/// The containers above the first `Deep` inside a container, this one included; 0 for a scalar and for what is not open.
struct Levels {
    private(set) var count: Int32

    static let none = Levels(count: 0)
    static let container = Levels(count: 1)

    /// Takes note of a value that is put inside.
    ///
    /// - Returns: Whether it has to become a `Deep`.
    @inline(__always)
    mutating func include(_ inner: Levels) -> Bool {
        if inner.count == 0 { return false }
        if inner.count >= Deep.spacing { return true }
        count = max(count, inner.count + 1)
        return false
    }

    /// Takes note of a value, and gives it the form in which it is put inside.
    @inline(__always)
    mutating func include(_ value: consuming Value) -> Value { include(value.levels) ? .deep(Deep(value)) : value }

    /// Takes note of what another container holds, in the form in which it is put inside.
    mutating func include(contentOf other: Levels) { count = max(count, other.count) }
}
