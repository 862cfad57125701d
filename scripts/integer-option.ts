import { parseSafeInteger } from '../src/units/units.ts';

/** An integer that a command line or the environment gives. `name` is what the message calls it, --seed for example. Throws RangeError on anything but digits within the range. */
export function integerOption(name: string, text: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  const value = parseSafeInteger(text, least, most);
  if (value === null) throw new RangeError(`${name} is '${text.slice(0, 40)}'; an integer from ${least} to ${most} is expected`);
  return value;
}
