// Balancer's LogExpMath (MIT, Fernando Martinelli, Sergio Yuhjtman, Daniel Fernandez): powers of 18-decimal numbers by e^(y · ln x). The contract's order of
// operations is kept, since its truncations decide the last digits. Divisions of bigint truncate towards zero, as the contract's signed divisions do.

const ONE_18 = 10n ** 18n;
const ONE_20 = 10n ** 20n;
const ONE_36 = 10n ** 36n;

/** Between these the logarithm is taken with 36 digits. */
const LN_36_LOWER_BOUND = ONE_18 - 10n ** 17n;
const LN_36_UPPER_BOUND = ONE_18 + 10n ** 17n;
const LN_36_LAST_TERM = 15n;
const LN_LAST_TERM = 11n;
const EXP_LAST_TERM = 12n;

/** x and e^x for x = 2^7 and 2^6: 18 decimals and none. */
const LARGE_POWERS: readonly (readonly [bigint, bigint])[] = [
  [128_000000000000000000n, 38877084059945950922200000000000000000000000000000000000n],
  [64_000000000000000000n, 6235149080811616882910000000n],
];

/** x and e^x for x = 2^5 … 2^−4, both with 20 decimals. */
const POWERS: readonly (readonly [bigint, bigint])[] = [
  [3200000000000000000000n, 7896296018268069516100000000000000n],
  [1600000000000000000000n, 888611052050787263676000000n],
  [800000000000000000000n, 298095798704172827474000n],
  [400000000000000000000n, 5459815003314423907810n],
  [200000000000000000000n, 738905609893065022723n],
  [100000000000000000000n, 271828182845904523536n],
  [50000000000000000000n, 164872127070012814685n],
  [25000000000000000000n, 128402541668774148407n],
  [12500000000000000000n, 113314845306682631683n],
  [6250000000000000000n, 106449445891785942956n],
];

/** The exponential leaves out the last two: its series is precise enough without them. */
const EXP_POWERS = POWERS.slice(0, 8);

/**
 * x^y for 18-decimal x > 0 and y > 0. The contract reverts where y · ln x leaves −41 … 130 or x or y their types; a swap within the pools' ratio limits
 * and weights never comes near, and nothing is checked here.
 */
export function pow(x: bigint, y: bigint): bigint {
  if (LN_36_LOWER_BOUND < x && x < LN_36_UPPER_BOUND) {
    const log = ln36(x);
    return exp(((log / ONE_18) * y + ((log % ONE_18) * y) / ONE_18) / ONE_18);
  }
  return exp((ln(x) * y) / ONE_18);
}

function exp(exponent: bigint): bigint {
  if (exponent < 0n) return ONE_36 / exp(-exponent);
  let x = exponent;
  let first = 1n;
  for (const [large, power] of LARGE_POWERS) {
    if (x < large) continue;
    x -= large;
    first = power;
    break;
  }
  x *= 100n;
  let product = ONE_20;
  for (const [large, power] of EXP_POWERS) {
    if (x < large) continue;
    x -= large;
    product = (product * power) / ONE_20;
  }
  let term = x;
  let sum = ONE_20 + term;
  for (let n = 2n; n <= EXP_LAST_TERM; n++) {
    term = (term * x) / ONE_20 / n;
    sum += term;
  }
  return (((product * sum) / ONE_20) * first) / 100n;
}

function ln(x: bigint): bigint {
  if (x < ONE_18) return -ln(ONE_36 / x);
  let rest = x;
  let sum = 0n;
  for (const [large, power] of LARGE_POWERS) {
    if (rest < power * ONE_18) continue;
    rest /= power;
    sum += large;
  }
  rest *= 100n;
  sum *= 100n;
  for (const [large, power] of POWERS) {
    if (rest < power) continue;
    rest = (rest * ONE_20) / power;
    sum += large;
  }
  return (sum + logSeries(rest, ONE_20, LN_LAST_TERM)) / 100n;
}

/** ln x with 36 decimals, for x close to one. */
function ln36(x: bigint): bigint {
  return logSeries(x * ONE_18, ONE_36, LN_36_LAST_TERM);
}

/** 2 · (z + z³/3 + z⁵/5 + …) for z = (x − 1) / (x + 1). */
function logSeries(x: bigint, one: bigint, lastTerm: bigint): bigint {
  const z = ((x - one) * one) / (x + one);
  const square = (z * z) / one;
  let power = z;
  let sum = power;
  for (let n = 3n; n <= lastTerm; n += 2n) {
    power = (power * square) / one;
    sum += power / n;
  }
  return sum * 2n;
}
