// A route as a flow picture: tokens are the nodes, hops the bands, as wide as the part of the trade that goes through them.

const SVG = 'http://www.w3.org/2000/svg';
const NODE_WIDTH = 10;
const GAP = 26;
const MARGIN = 16;
/** A band that carries next to nothing is still to be seen. */
const LEAST_SHARE = 0.004;

/** What part of the trade goes through each hop: of what a token has, as the hops' inputs divide it. */
export function sharesOf(route) {
  const arrived = new Map();
  const taken = new Map();
  for (const { tokenIn, amountIn } of route) taken.set(tokenIn, (taken.get(tokenIn) ?? 0n) + BigInt(amountIn));
  return route.map(({ tokenIn, tokenOut, amountIn }) => {
    const whole = taken.get(tokenIn) ?? 0n;
    const part = whole === 0n ? 0 : Number((BigInt(amountIn) * 1_000_000n) / whole) / 1_000_000;
    // What no hop brought is what was sold.
    const share = part * (arrived.get(tokenIn) ?? 1);
    arrived.set(tokenOut, (arrived.get(tokenOut) ?? 0) + share);
    return share;
  });
}

/**
 * Draws into a place, anew whenever it is called. `nameOf`: of a token; `describe`: of a hop and its share, a line of text; `onShow` is told of the hop that is pointed at or has the focus. False where the route comes back to a
 * token, which no such picture can show.
 */
export function drawFlow(place, route, { nameOf, describe, onShow }) {
  const width = Math.max(280, place.clientWidth);
  const shares = sharesOf(route);
  const tokens = [...new Set(route.flatMap(({ tokenIn, tokenOut }) => [tokenIn, tokenOut]))];
  const nodes = tokens.map((token) => ({ token }));
  const links = route.map((hop, at) => ({
    hop,
    share: shares[at],
    source: tokens.indexOf(hop.tokenIn),
    target: tokens.indexOf(hop.tokenOut),
    value: Math.max(shares[at], LEAST_SHARE),
  }));
  const height = Math.min(560, Math.max(160, 44 * route.length + 60));
  const { sankey, sankeyLinkHorizontal } = globalThis.d3;
  const lay = sankey()
    .nodeWidth(NODE_WIDTH)
    .nodePadding(GAP)
    .extent([
      [MARGIN, MARGIN],
      [width - MARGIN, height - MARGIN],
    ]);
  let laid;
  try {
    laid = lay({ nodes, links });
  } catch {
    place.replaceChildren();
    return false;
  }
  const picture = element('svg', { viewBox: `0 0 ${width} ${height}`, height, role: 'group', 'aria-label': `Flow of the trade through ${route.length} hops` });
  const curve = sankeyLinkHorizontal();
  for (const link of laid.links) {
    const text = describe(link.hop, link.share);
    const band = element('path', { d: curve(link), 'stroke-width': Math.max(1.5, link.width), tabindex: 0, role: 'img', 'aria-label': text });
    for (const event of ['pointerenter', 'focus']) band.addEventListener(event, () => onShow(text));
    const hint = element('title', {});
    hint.textContent = text;
    band.append(hint);
    picture.append(band);
  }
  for (const { token, x0, x1, y0, y1 } of laid.nodes) {
    picture.append(element('rect', { x: x0, y: y0, width: x1 - x0, height: Math.max(1, y1 - y0) }));
    const atEnd = x0 > width / 2;
    const label = element('text', { x: atEnd ? x0 - 6 : x1 + 6, y: (y0 + y1) / 2, dy: '0.35em', 'text-anchor': atEnd ? 'end' : 'start' });
    label.textContent = nameOf(token);
    picture.append(label);
  }
  place.replaceChildren(picture);
  return true;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
