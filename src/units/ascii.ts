// Text is compared by ASCII alone. JavaScript's own functions know all of Unicode: to them KELVIN SIGN is a capital k, and a no-break space is room around a word.

const CAPITALS = /[A-Z]/;

/** Lower-cases A to Z and nothing else. */
export function asciiLowerCase(text: string): string {
  return CAPITALS.test(text) ? text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : text;
}

/** Takes off ASCII white space at both ends, and nothing else. */
export function asciiTrim(text: string): string {
  return text.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, '');
}
