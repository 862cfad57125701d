// Text is compared by ASCII alone. JavaScript's own functions know all of Unicode: to them KELVIN SIGN is a capital k, and a no-break space is room around a word.

/** Lower-cases A to Z and nothing else. */
export function asciiLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** Takes off ASCII white space at both ends, and nothing else. */
export function asciiTrim(text: string): string {
  return text.replaceAll(/^[\t-\r ]+|[\t-\r ]+$/g, '');
}
