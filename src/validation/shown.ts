const LONGEST = 60;

const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}'\\]/gu;

/** A caller's text as a message may repeat it: quoted, at most 60 characters of it, what does not print escaped. */
export function shown(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST)];
  const kept = characters.slice(0, LONGEST).join('');
  const escaped = kept.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const whole = kept.length === text.length && escaped.length <= LONGEST;
  return whole ? `'${escaped}'` : `'${escaped.slice(0, LONGEST)}…'`;
}
