/** A decision as the index lists it. */
export type Decision = {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  /** Numbers of earlier decisions that it says it replaces. */
  readonly replaces: readonly number[];
  /** Year, month and day. */
  readonly date: string;
};

/** What the text of a decision says of it. Throws where its heading has not the number of its file, or no title. */
export function readDecision(file: string, text: string): Omit<Decision, 'date'> {
  const [, number = '', title = ''] = /^# (?:Decision )?0*([0-9]+)[.:] (.+)\n/.exec(text) ?? [];
  if (number === '' || Number(number) !== Number(file.slice(0, 4))) throw new Error(`${file} must begin with '# ${Number(file.slice(0, 4))}. ' and its title`);
  const replaces = [...text.matchAll(/^Replaces decision ([0-9]+)\b/gm)].map(([, earlier]) => Number(earlier));
  return { file, number: Number(number), title, replaces };
}

/** The dates that an index has, by number. */
export function datesOf(index: string): ReadonlyMap<number, string> {
  return new Map([...index.matchAll(/^\| ([0-9]+) \|.*\| ([0-9]{4}-[0-9]{2}-[0-9]{2}) \|/gm)].map(([, number, date = '']) => [Number(number), date]));
}

const HEAD = `# Decisions

Why a thing is as it is, where a maintainer would question it. Written by \`npm run decisions\`, with the day on which each came. One that no longer holds is replaced by another, which says so in a line that begins with \`Replaces decision N\`;
what is in force and merely grows is edited in place.

| number | decision | date | state |
|---|---|---|---|
`;

/** The whole index: a row for each number from 1 to the last, those that have no file included. */
export function indexOf(decisions: readonly Decision[]): string {
  const byNumber = new Map(decisions.map((decision) => [decision.number, decision]));
  const replacedBy = new Map(decisions.flatMap(({ number, replaces }) => replaces.map((earlier) => [earlier, number] as const)));
  const last = Math.max(0, ...byNumber.keys());
  const rows: string[] = [];
  for (let number = 1; number <= last; number++) {
    const decision = byNumber.get(number);
    const later = replacedBy.get(number);
    const state = later === undefined ? 'in force' : `replaced by ${later}`;
    if (decision !== undefined) rows.push(`| ${number} | [${decision.title}](${decision.file}) | ${decision.date} | ${state} |`);
    else if (later !== undefined) rows.push(`| ${number} | | | ${state}, and gone |`);
    else rows.push(`| ${number} | | | not taken |`);
  }
  return `${HEAD}${rows.join('\n')}\n`;
}
