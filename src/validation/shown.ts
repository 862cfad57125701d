const LONGEST = 60;

const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}'\\]/gu;

/** What is behind this prefix is an API key that went into the wrong place: messages end up in logs. */
const KEY = /(braid_live_)[0-9A-Za-z_]+/g;

/** A caller's text as a message may repeat it: quoted, at most 60 characters of it, what does not print escaped, without API keys. */
export function shown(whole: string): string {
  const text = whole.slice(0, 4 * LONGEST).replace(KEY, '$1…');
  const characters = [...text.slice(0, 2 * LONGEST)];
  const kept = characters.slice(0, LONGEST).join('');
  const escaped = kept.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const complete = whole.length <= 4 * LONGEST && kept.length === text.length && escaped.length <= LONGEST;
  return complete ? `'${escaped}'` : `'${escaped.slice(0, LONGEST)}…'`;
}
