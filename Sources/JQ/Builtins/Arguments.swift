/// The arguments of a native beside its input: at most three values, which need no array.
struct Arguments {
    private var first = Value.null
    private var second = Value.null
    private var third = Value.null

    subscript(at: Int) -> Value {
        get {
            switch at {
            case 0: first
            case 1: second
            default: third
            }
        }
        set {
            switch at {
            case 0: first = newValue
            case 1: second = newValue
            default: third = newValue
            }
        }
    }
}
