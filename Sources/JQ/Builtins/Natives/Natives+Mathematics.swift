import Foundation
import LosslessJSON

extension Natives {
    private static func number(_ value: Value) throws(JQError) -> Double {
        guard let number = value.asDouble else { throw Failure.single(value, "number required") }
        return number
    }

    /// A function that returns an integer unchanged.
    private static func rounding(_ name: String, _ body: @escaping @Sendable (Double) -> Double) -> Native {
        Native(name) { (input, _, _) throws(JQError) in
            if case .integer = Arithmetic.plain(input) { return }
            // A longer one keeps its digits, too.
            if case .literal(let number) = input,
                number.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 })
            {
                return
            }
            input = whole(body(try number(input)))
        }
    }

    /// Turns a double with an integral value into an integer, so that it is exact from here on.
    private static func whole(_ double: Double) -> Value {
        if double == 0, double.sign == .minus { return .double(double) }
        guard double.magnitude < 9e15, let integer = Int64(exactly: double) else { return .double(double) }
        return .integer(integer)
    }

    private static func one(_ name: String, _ body: @escaping @Sendable (Double) -> Double) -> Native {
        Native(name) { (input, _, _) throws(JQError) in input = whole(body(try number(input))) }
    }

    private static func two(_ name: String, _ body: @escaping @Sendable (Double, Double) -> Double) -> Native {
        Native(name, 2) { (input, arguments, _) throws(JQError) in
            input = whole(body(try number(arguments[0]), try number(arguments[1])))
        }
    }

    static let mathematics: [Native] = [
        rounding("floor") { $0.rounded(.down) }, rounding("ceil") { $0.rounded(.up) },
        rounding("round") { $0.rounded(.toNearestOrAwayFromZero) }, rounding("trunc") { $0.rounded(.towardZero) },
        rounding("rint") { $0.rounded(.toNearestOrEven) }, rounding("nearbyint") { $0.rounded(.toNearestOrEven) },
        one("sqrt") { $0.squareRoot() }, one("fabs") { $0.magnitude }, one("cbrt", cbrt),
        one("exp", exp), one("exp2", exp2), one("exp10") { pow(10, $0) }, one("expm1", expm1),
        one("log", log), one("log2", log2), one("log10", log10), one("log1p", log1p), one("logb", logb),
        one("sin", sin), one("cos", cos), one("tan", tan), one("asin", asin), one("acos", acos), one("atan", atan),
        one("sinh", sinh), one("cosh", cosh), one("tanh", tanh), one("asinh", asinh), one("acosh", acosh),
        one("atanh", atanh), one("tgamma", tgamma),
        one("gamma", lgamma), one("lgamma", lgamma), one("pow10") { pow(10, $0) },
        one("j0", j0), one("j1", j1), one("y0", y0), one("y1", y1),
        one("significand") { $0 == 0 || !$0.isFinite ? $0 : ($0.sign == .minus ? -$0.significand : $0.significand) },
        two("pow", pow), two("atan2", atan2), two("fmin", fmin), two("fmax", fmax), two("fmod", fmod),
        two("drem", remainder), two("hypot", hypot), two("copysign", copysign),
        two("ldexp") { scalbn($0, Int(max(-5000, min(5000, $1.isNaN ? 0 : $1)))) },
        two("scalbln") { scalbn($0, Int(max(-5000, min(5000, $1.isNaN ? 0 : $1)))) },
        two("scalb") { $0 * exp2($1) }, two("nextafter", nextafter), two("nexttoward", nextafter), two("fdim", fdim),
        Native("lgamma_r") { (input, _, _) throws(JQError) in
            let double = try number(input)
            // The sign of Γ, which `tgamma` shows unless it overflows; beyond that Γ is positive.
            let isNegative = double < 0 && double.rounded(.down).truncatingRemainder(dividingBy: 2) != 0
            input = .array(ValueArray([whole(lgamma(double)), .integer(isNegative ? -1 : 1)]))
        },
        Native("fma", 3) { (input, arguments, _) throws(JQError) in
            input = whole(fma(try number(arguments[0]), try number(arguments[1]), try number(arguments[2])))
        },
        Native("abs") { (input, _, _) throws(JQError) in input = try absolute(input) },
        Native("infinite") { (input, _, _) throws(JQError) in input = .double(.infinity) },
        Native("nan") { (input, _, _) throws(JQError) in input = .double(.nan) },
        Native("isinfinite") { (input, _, _) throws(JQError) in input = .bool(input.asDouble?.isInfinite == true) },
        Native("isnan") { (input, _, _) throws(JQError) in input = .bool(input.asDouble?.isNaN == true) },
        Native("isnormal") { (input, _, _) throws(JQError) in input = .bool(input.asDouble?.isNormal == true) },
        Native("frexp") { (input, _, _) throws(JQError) in
            let double = try number(input)
            let exponent = double == 0 || !double.isFinite ? 0 : Int(double.exponent) + 1
            input = .array(ValueArray([whole(scalbn(double, -exponent)), .count(exponent)]))
        },
        Native("modf") { (input, _, _) throws(JQError) in
            let double = try number(input)
            let integral = double.rounded(.towardZero)
            let fraction = double.isInfinite ? 0 : double - integral
            input = .array(ValueArray([whole(fraction), whole(integral)]))
        },
    ]
}
