// What a panel is before it becomes Grafana's JSON: a title, what to look for, a unit, and queries with their legends.

/** Selectors of every query: the variables at the top of a dashboard. */
export const ALL = 'job="$job",instance=~"$instance"';
export const CHAIN = `${ALL},chain=~"$chain"`;
/** Four scrapes at least, however far one zooms in. */
export const RATE = '$__rate_interval';

export type Query = { readonly expr: string; readonly legend: string };

/** Units as Grafana names them. */
export type Unit = 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit' | 'short' | 'none';

export type Panel = {
  readonly kind: 'series' | 'stat' | 'states';
  readonly title: string;
  /** What it shows and what to make of it. */
  readonly description: string;
  readonly unit: Unit;
  /** In 24ths of the width. */
  readonly width: number;
  readonly stacked: boolean;
  /** From green to red: the value at which it is amber and that at which it is red; null without. */
  readonly alarms: { readonly amber: number; readonly red: number } | null;
  /** States by value, for 'states'. */
  readonly states: Readonly<Record<string, { readonly text: string; readonly color: 'green' | 'yellow' | 'red' }>> | null;
  readonly queries: readonly Query[];
};

type Look = Partial<Pick<Panel, 'width' | 'stacked' | 'alarms'>>;

/** `repeat`: the row is there once for each of the chosen values of that variable, whose queries then go by that value alone. */
export type Row = { readonly title: string; readonly repeat?: 'chain'; readonly panels: readonly Panel[] };
export type Dashboard = { readonly uid: string; readonly title: string; readonly description: string; readonly rows: readonly Row[] };

/** Lines over time. */
export function series(title: string, unit: Unit, description: string, queries: Readonly<Record<string, string>>, look: Look = {}): Panel {
  return { kind: 'series', title, description, unit, width: 8, stacked: false, alarms: null, states: null, queries: queriesOf(queries), ...look };
}

/** One number. */
export function stat(title: string, unit: Unit, description: string, expr: string, legend: string, look: Look = {}): Panel {
  return { kind: 'stat', title, description, unit, width: 4, stacked: false, alarms: null, states: null, queries: [{ expr, legend }], ...look };
}

/** A band per series that shows by colour which state it is in. */
export function states(title: string, description: string, query: Query, named: NonNullable<Panel['states']>, width = 12): Panel {
  return { kind: 'states', title, description, unit: 'none', width, stacked: false, alarms: null, states: named, queries: [query] };
}

/** The quantiles that matter of a histogram, by further labels. */
export function quantiles(metric: string, selector: string, by: readonly string[] = []): Readonly<Record<string, string>> {
  const grouped = ['le', ...by].join(', ');
  const legend = by.map((label) => `{{${label}}} `).join('');
  return Object.fromEntries(
    [0.5, 0.99].map((q) => [`${legend}p${q * 100}`, `histogram_quantile(${q}, sum by (${grouped}) (rate(${metric}_bucket{${selector}}[${RATE}])))`]),
  );
}

function queriesOf(queries: Readonly<Record<string, string>>): readonly Query[] {
  return Object.entries(queries).map(([legend, expr]) => ({ legend, expr }));
}
