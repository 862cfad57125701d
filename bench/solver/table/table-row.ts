import { short } from '../statistics.ts';

/** One or more numbers, median and 95th percentile mostly, and what they have to be. */
export type Figure = {
  /** What it is, where the column does not say it. */
  readonly name?: string;
  readonly values: readonly number[];
  /** One for each value; null: no target. */
  readonly targets?: readonly (number | null)[];
  /** Whether a target is a least instead of a most. */
  readonly atLeast?: boolean;
  readonly unit?: string;
  /** Which one it is: the request that took longest, the pair that loses most. */
  readonly of?: string;
};

/** A row of the table. Losses in basis points, times in ms. Empty: null. */
export type TableRow = {
  readonly set: string;
  readonly solver: string;
  /** Which requests. */
  readonly requests: string;
  readonly answered: { readonly count: number; readonly of: number; readonly all: boolean } | null;
  readonly lost: Figure | null;
  readonly netLost: Figure | null;
  readonly millis: Figure | null;
  readonly further: readonly Figure[];
  /** Why there are no figures. */
  readonly absent?: string;
};

export const NO_FIGURES = { answered: null, lost: null, netLost: null, millis: null, further: [] } as const;

/** Below this a number prints as 0. */
const ZERO = 5e-6;
const HEAD = ['set', 'solver', 'requests', 'answered', 'lost, median / p95', 'net lost, median / p95', 'ms, median / p95', 'further', 'targets met'];

/** The rows as one table of Markdown, each figure with its target. */
export function toMarkdown(rows: readonly TableRow[]): string {
  const lines = rows.map((row) => {
    if (row.absent !== undefined) return [row.set, row.solver, row.absent, '', '', '', '', '', ''];
    const cells = [textOf(row.lost), textOf(row.netLost), textOf(row.millis), row.further.map(textOf).join('; ')];
    return [row.set, row.solver, row.requests, answeredText(row), ...cells, verdictOf(row)];
  });
  return [HEAD, HEAD.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The targets of a row that are missed, by name; null where it has none. */
export function missesOf({ answered, lost, netLost, millis, further }: TableRow): readonly string[] | null {
  const figures = [named('lost', lost), named('net lost', netLost), named('ms', millis), ...further].filter((figure) => figure !== null);
  const judged = figures.filter(({ targets }) => targets?.some((target) => target !== null));
  if (judged.length === 0 && answered?.all !== true) return null;
  const unanswered = answered?.all === true && answered.count < answered.of ? ['answered'] : [];
  return [...unanswered, ...judged.flatMap((figure) => (figure.values.some((_, at) => isMissed(figure, at)) ? [figure.name ?? ''] : []))];
}

function named(name: string, figure: Figure | null): Figure | null {
  return figure === null ? null : { name, ...figure };
}

function isMissed({ values, targets, atLeast = false }: Figure, at: number): boolean {
  const [value, target] = [values[at] as number, targets?.[at] ?? null];
  if (target === null) return false;
  return !(atLeast ? value >= target : value <= target + ZERO);
}

function textOf(figure: Figure | null): string {
  if (figure === null) return '–';
  const { name, values, targets, atLeast = false, unit, of } = figure;
  const text = `${name === undefined ? '' : `${name} `}${values.map(short).join(' / ')}${unit === undefined ? '' : ` ${unit}`}${of === undefined ? '' : `, ${of}`}`;
  if (targets === undefined || targets.every((target) => target === null)) return text;
  const asked = targets.map((target) => (target === null ? '–' : `${atLeast ? '≥' : '≤'} ${short(target)}`)).join(' / ');
  return `${text} (${asked}: ${values.some((_, at) => isMissed(figure, at)) ? '**missed**' : 'met'})`;
}

function answeredText({ answered }: TableRow): string {
  if (answered === null) return '–';
  const { count, of, all } = answered;
  return `${count} of ${of}${all ? ` (all: ${count < of ? '**missed**' : 'met'})` : ''}`;
}

function verdictOf(row: TableRow): string {
  const misses = missesOf(row);
  if (misses === null) return '';
  return misses.length === 0 ? 'yes' : `no: ${misses.join(', ')}`;
}
