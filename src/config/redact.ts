/** Shorter ones are no secrets, and would blot out half of every line. */
const LEAST_CHARACTERS = 4;
/** Of a path's part that may be a key: shorter ones are names, such as "v2" or "ethereum". */
const LEAST_PATH_CHARACTERS = 12;
const REDACTED = '[redacted]';

/** What of a node's URL whoever asks it has to keep to himself: user, password, what the query says, and the long parts of the path. As they are written, decoded, and as a header has them. */
export function secretsOfUrl(text: string): readonly string[] {
  const url = new URL(text);
  const parts = [url.username, url.password, ...url.searchParams.values(), url.search.slice(1), url.hash.slice(1), ...credentialsOf(url)];
  const segments = url.pathname.split('/').filter((segment) => segment.length >= LEAST_PATH_CHARACTERS);
  return [...parts, ...segments].flatMap((part) => [part, decoded(part)]).filter(isSecret);
}

/** User and password as a header carries them. */
function credentialsOf({ username, password }: URL): readonly string[] {
  return username === '' ? [] : [Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')];
}

export function isSecret(text: string): boolean {
  return text.length >= LEAST_CHARACTERS;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Blots secrets out of a text, as they are and as JSON writes them. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter(isSecret).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]));
  if (forms.size === 0) return (text) => text;
  // The longest first: one may be a part of another.
  const pattern = [...forms].sort((one, other) => other.length - one.length).map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const any = new RegExp(pattern.join('|'), 'g');
  return (text) => text.replace(any, REDACTED);
}
