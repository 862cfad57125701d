// Line charts as SVG text: a report that is one file needs no library to draw a dozen polylines.

export type Line = { readonly name: string; readonly color: string; readonly dashed?: boolean; readonly values: readonly (number | null)[] };
export type Band = { readonly from: number; readonly to: number; readonly name: string };

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 56;
const BOTTOM = 26;
const TOP = 12;
const RIGHT = 10;
const INNER_WIDTH = WIDTH - LEFT - RIGHT;
const INNER_HEIGHT = HEIGHT - TOP - BOTTOM;

/** Values by second. `logarithmic` for latencies, which lie decades apart. */
export function chart(title: string, unit: string, lines: readonly Line[], bands: readonly Band[], logarithmic: boolean): string {
  const seconds = Math.max(1, ...lines.map(({ values }) => values.length));
  const present = lines.flatMap(({ values }) => values.filter((value): value is number => value !== null));
  const top = niceAbove(Math.max(...present, 1));
  const bottom = logarithmic ? Math.min(1, top / 10) : 0;
  const x = (second: number) => LEFT + (INNER_WIDTH * second) / seconds;
  const scaled = (value: number) => (logarithmic ? Math.log(Math.max(value, bottom) / bottom) / Math.log(top / bottom) : value / top);
  const y = (value: number) => TOP + INNER_HEIGHT * (1 - scaled(value));
  const marks = logarithmic ? decades(bottom, top) : [0, top / 4, top / 2, (3 * top) / 4, top];
  const grid = marks.map(
    (mark) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(mark)}" y2="${y(mark)}"/><text x="${LEFT - 6}" y="${y(mark) + 4}" text-anchor="end">${number(mark)}</text>`,
  );
  const every = Math.max(1, Math.ceil(seconds / 8 / 5) * 5);
  const ticks = Array.from({ length: Math.floor(seconds / every) + 1 }, (_, index) => index * every);
  const below = ticks.map((tick) => `<text x="${x(tick)}" y="${HEIGHT - 8}" text-anchor="middle">${tick}</text>`);
  const shades = bands.map(
    ({ from, to, name }) =>
      `<rect class="band" x="${x(from)}" y="${TOP}" width="${x(to) - x(from)}" height="${INNER_HEIGHT}"><title>${escapeHtml(name)}</title></rect>`,
  );
  const drawn = lines.flatMap(({ values, color, dashed }) =>
    stretches(values).map(
      (points) =>
        `<polyline fill="none" stroke="${color}" stroke-width="1.8"${dashed ? ' stroke-dasharray="5 4"' : ''} points="${points.map(([second, value]) => `${x(second + 0.5).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}"/>`,
    ),
  );
  const legend = lines
    .map(({ name, color, dashed }) => `<span><i style="border-top:2px ${dashed ? 'dashed' : 'solid'} ${color}"></i>${escapeHtml(name)}</span>`)
    .join('');
  return `<figure><figcaption>${escapeHtml(title)}, ${escapeHtml(unit)}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${[...shades, ...grid, ...below, ...drawn].join('')}</svg><div class="legend">${legend}</div></figure>`;
}

/** Neighbouring values that are there; a lonely one gets a short stroke. */
function stretches(values: readonly (number | null)[]): readonly (readonly (readonly [number, number])[])[] {
  const found: [number, number][][] = [];
  let open: [number, number][] | null = null;
  for (const [second, value] of values.entries()) {
    if (value === null) {
      open = null;
      continue;
    }
    if (open === null) {
      open = [];
      found.push(open);
    }
    open.push([second, value]);
  }
  return found.map((points) =>
    points.length > 1 ? points : points.flatMap(([second, value]) => [[second - 0.2, value] as const, [second + 0.2, value] as const]),
  );
}

function niceAbove(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * ([1, 2, 5, 10].find((step) => step * decade >= value) ?? 10);
}

function decades(bottom: number, top: number): readonly number[] {
  const marks: number[] = [];
  for (let mark = bottom; mark <= top * 1.001; mark *= 10) marks.push(mark);
  return marks;
}

function number(value: number): string {
  return value >= 1000 ? `${value / 1000}k` : String(Number(value.toPrecision(3)));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
