import { basisPointsAbove, shownName, toBaseUnits, toWholeTokens } from '/route/amounts.js';
import { executeSwap } from '/route/execute.js';
import { drawFlow, sharesOf } from '/route/flow.js';

const NATIVE = `0x${'e'.repeat(40)}`;
const GWEI_DECIMALS = 9;
const PHASES = { subgraph: 'subgraph', path: 'single paths', columns: 'splitting', gas: 'gas', exact: 'exact amounts' };
const RESIZE_MS = 150;

const part = (id) => document.getElementById(id);
const form = part('trade');
const field = (name) => form.elements.namedItem(name);

/** What the page knows: the hosted chains, the local chain's own facts, and what is shown now. */
const known = { chains: [], publicUrl: null, devnet: null, shown: null, asked: 0 };

/** Tokens by lower-case address: those that the local chain tells of, and the native one. */
function tokensOf(chainId) {
  const native = { address: NATIVE, symbol: 'native', decimals: 18 };
  return [native, ...(known.devnet?.chainId === chainId ? known.devnet.tokens : [])];
}

const chainNow = () => known.chains.find(({ chainId }) => String(chainId) === field('chainId').value);
const tokenAt = (address) => tokensOf(chainNow()?.chainId).find((token) => token.address.toLowerCase() === address.toLowerCase());
const nameOf = (address) => shownName(tokenAt(address)?.symbol, address);

/** An address for what was typed: an address, or the symbol of a token that is known. */
function addressOf(text) {
  const typed = text.trim();
  if (/^0x[0-9a-f]{40}$/i.test(typed)) return typed;
  return tokensOf(chainNow()?.chainId).find(({ symbol }) => symbol?.toLowerCase() === typed.toLowerCase())?.address ?? typed;
}

const fixedSide = () => (field('mode').value === 'buy' ? 'buyToken' : 'sellToken');
const decimalsOf = (address) => tokenAt(address)?.decimals ?? null;

/** The parameters of /v1/quote for what the form says. Throws an Error whose message is for people. */
function parametersOfForm() {
  const mode = field('mode').value;
  const parameters = new URLSearchParams({ chainId: field('chainId').value, mode });
  for (const name of ['sellToken', 'buyToken']) parameters.set(name, addressOf(field(name).value));
  const decimals = decimalsOf(parameters.get(fixedSide()));
  const amount = toBaseUnits(field('amount').value, decimals);
  if (amount === null)
    throw new Error(decimals === null ? 'The amount is counted in base units, without a point.' : `The amount is a number with at most ${decimals} decimals.`);
  parameters.set(`${mode}Amount`, amount);
  for (const name of ['maxHops', 'includeVenues', 'excludeVenues']) {
    const value = field(name).value.trim();
    if (value !== '') parameters.set(name, value);
  }
  const gwei = field('gasPrice').value.trim();
  if (gwei !== '') {
    const wei = toBaseUnits(gwei, GWEI_DECIMALS);
    if (wei === null) throw new Error('The gas price is a number of gwei.');
    parameters.set('gasPriceGwei', toWholeTokens(wei, GWEI_DECIMALS));
  }
  return parameters;
}

function fillForm(parameters) {
  for (const name of ['chainId', 'mode', 'maxHops', 'includeVenues', 'excludeVenues']) {
    if (parameters.has(name)) field(name).value = parameters.get(name);
  }
  showTokens();
  for (const name of ['sellToken', 'buyToken']) if (parameters.has(name)) field(name).value = tokenAt(parameters.get(name))?.symbol ?? parameters.get(name);
  const amount = parameters.get(`${field('mode').value}Amount`);
  if (amount !== null) field('amount').value = toWholeTokens(amount, decimalsOf(addressOf(field(fixedSide()).value)));
  if (parameters.has('gasPriceGwei')) field('gasPrice').value = parameters.get('gasPriceGwei');
  showUnit();
}

function showTokens() {
  const chain = chainNow();
  const option = (value, label) => Object.assign(document.createElement('option'), { value, label });
  part('tokens').replaceChildren(
    ...tokensOf(chain?.chainId).map(({ address, symbol }) => {
      const name = shownName(symbol, address);
      // A symbol that is shown otherwise than it is written is asked for by its address.
      return option(name === symbol ? symbol : address, `${name} ${address}`);
    }),
  );
  part('venues').replaceChildren(...(chain?.venues ?? []).map((label) => option(label, label)));
}

function showUnit() {
  const address = addressOf(field(fixedSide()).value);
  part('amount-unit').textContent = decimalsOf(address) === null ? 'Amount, base units' : `Amount of ${nameOf(address)}`;
}

/** `{ ok, body }`; a service that can not be reached at all says so like any other refusal. */
async function ask(path, parameters) {
  try {
    const response = await fetch(`${path}?${parameters}`);
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return { ok: false, status: null, body: { error: 'the service can not be reached' } };
  }
}

async function find(parameters) {
  const turn = ++known.asked;
  const stillAsked = () => turn === known.asked;
  part('result').setAttribute('aria-busy', 'true');
  say(null);
  const answer = await ask('/route/answer', parameters);
  if (!stillAsked()) return;
  part('result').setAttribute('aria-busy', 'false');
  if (!answer.ok) {
    part('result').hidden = true;
    say(answer.status === null ? `${answer.body.error}.` : `${answer.status}: ${answer.body.error}`);
    return;
  }
  show(answer.body, parameters);
  const { maxHops } = answer.body.quote;
  const fewer = new URLSearchParams(parameters);
  fewer.set('maxHops', String(maxHops - 1));
  const [lessDeep, unsplit] = await Promise.all([maxHops > 1 ? ask('/route/answer', fewer) : null, ask('/route/answer/unsplit', parameters)]);
  if (stillAsked()) compare(answer.body, [...(lessDeep === null ? [] : [[`At most ${hopsText(maxHops - 1)}`, lessDeep]]), ['Without splits', unsplit]]);
}

const hopsText = (count) => (count === 1 ? '1 hop' : `${count} hops`);

function say(text) {
  part('message').hidden = text === null;
  part('message').textContent = text ?? '';
}

const tell = (amount, token, decimals) => `${toWholeTokens(amount, decimals)} ${nameOf(token)}`;
const usd = (value) => (value === null ? 'not known' : `$${value.toLocaleString('en', { maximumFractionDigits: 2 })}`);

function show(body, parameters) {
  const { quote, decimals } = body;
  known.shown = { body, parameters };
  part('result').hidden = false;
  entries('facts', {
    Sold: tell(quote.sellAmount, quote.sellToken, decimals.sell),
    Bought: tell(quote.buyAmount, quote.buyToken, decimals.buy),
    Floor: tell(quote.minBuyAmount, quote.buyToken, decimals.buy),
    'Worth sold': usd(quote.amountInUsd),
    'Worth bought': usd(quote.amountOutUsd),
    'Bought over sold, by worth': quote.priceImpact === null ? 'not known' : `${(100 * quote.priceImpact).toFixed(3)}%`,
    Fee: quote.fee === undefined ? 'none' : `${quote.fee.feeBps} bps: ${tell(quote.fee.feeAmount, quote.buyToken, decimals.buy)}`,
    Gas: `${quote.gas.toLocaleString('en')} units, ${usd(quote.gasUsd)} (${quote.gasMode})`,
    'Gas price': quote.gasPriceWei === null ? 'not known' : `${toWholeTokens(quote.gasPriceWei, GWEI_DECIMALS)} gwei`,
    Depth: hopsText(quote.maxHops),
    Block: String(quote.blockNumber),
  });
  part('warnings').replaceChildren(...(quote.warnings ?? []).map(({ code, detail }) => withText('li', `${code}: ${detail}`)));
  part('link').href = `/route?${parameters}`;
  showHops(quote);
  showFlow();
  showTimes(body);
  part('compared').replaceChildren();
  part('executed').textContent = '';
  part('execution').hidden = known.devnet === null || known.devnet.chainId !== quote.chainId;
}

const percent = (share) => `${(100 * share).toFixed(share < 0.01 ? 3 : 1)}%`;
const amountAt = (amount, token) => tell(amount, token, decimalsOf(token));

function describeHop({ source, protocol, tokenIn, tokenOut, amountIn, amountOut }, share) {
  return `${percent(share)} of the trade: ${amountAt(amountIn, tokenIn)} to ${amountAt(amountOut, tokenOut)} at ${source === protocol ? source : `${source} (${protocol})`}`;
}

function showFlow() {
  const { route } = known.shown.body.quote;
  const drawn = drawFlow(part('flow'), route, { nameOf, describe: describeHop, onShow: (text) => (part('hop').textContent = text) });
  part('hop').textContent = drawn
    ? 'Point at a band, or reach it with the tab key, to see its hop.'
    : 'This route comes back to a token that it left, which no such picture shows: the table has its hops.';
}

function showHops({ route }) {
  const shares = sharesOf(route);
  table(
    'hops',
    ['Venue', 'From', 'To', 'Share', 'Pool'],
    route.map((hop, at) => [hop.source, amountAt(hop.amountIn, hop.tokenIn), amountAt(hop.amountOut, hop.tokenOut), percent(shares[at]), hop.poolAddress]),
  );
}

function showTimes({ facts, times }) {
  const ms = (value) => (value === undefined ? undefined : `${value.toFixed(2)} ms`);
  const phases = Object.entries(PHASES).map(([phase, name]) => [`Solve: ${name}`, ms(facts.phases[phase])]);
  const all = [
    ['In all', ms(times.totalMs)],
    ['Queue', ms(times.queueMs)],
    ['Solve', ms(times.runMs)],
    ...phases,
    ['Measuring tokens', ms(times.measureMs)],
    ['Asking makers', ms(times.requoteMs)],
    ['Ended', facts.stopped],
  ];
  entries('times', Object.fromEntries(all.filter(([, value]) => value !== undefined)));
}

/** The same trade with less freedom: what it gets, and how much less that is. */
function compare({ quote, decimals }, others) {
  const [side, token, scale] = quote.mode === 'sell' ? ['buyAmount', quote.buyToken, decimals.buy] : ['sellAmount', quote.sellToken, decimals.sell];
  const rows = others.map(([name, { ok, status, body }]) => {
    if (!ok) return [name, status === null ? body.error : `${status}: ${body.error}`, '', '', ''];
    const theirs = body.quote;
    const [ours, other] = [BigInt(quote[side]), BigInt(theirs[side])];
    const earned = quote.mode === 'sell' ? basisPointsAbove(ours, other) : basisPointsAbove(other, ours);
    const shown = theirs.blockNumber === quote.blockNumber ? '' : `, of block ${theirs.blockNumber}`;
    return [
      name,
      tell(theirs[side], token, scale) + shown,
      earned === null ? '' : `${earned.toFixed(2)} bps`,
      hopsText(theirs.route.length),
      theirs.gas.toLocaleString('en'),
    ];
  });
  const own = ['As answered', tell(quote[side], token, scale), '', hopsText(quote.route.length), quote.gas.toLocaleString('en')];
  table('compared', ['Trade', quote.mode === 'sell' ? 'Bought' : 'Sold', 'Better by', 'Route', 'Gas'], [own, ...rows]);
}

async function execute() {
  const { body, parameters } = known.shown;
  const { devnet } = known;
  part('execute').disabled = true;
  part('executed').textContent = 'Waiting for the chain…';
  try {
    const account = devnet.accounts[0].address;
    const done = await executeSwap({ publicUrl: known.publicUrl, apiKey: devnet.apiKey, rpcUrl: devnet.rpcUrl, account, parameters });
    const { buyToken } = body.quote;
    const said = (amount) => tell(amount, buyToken, body.decimals.buy);
    part('executed').textContent =
      `Arrived ${said(done.arrived)} in block ${done.block}; quoted ${said(done.quoted)}, floor ${said(done.floor)}. Gas ${done.gasUsed.toLocaleString('en')} of ${done.gasQuoted.toLocaleString('en')} reckoned. ${done.hash}`;
  } catch (error) {
    part('executed').textContent = error instanceof Error ? error.message : String(error);
  } finally {
    part('execute').disabled = false;
  }
}

const withText = (name, text) => Object.assign(document.createElement(name), { textContent: text });

function entries(id, facts) {
  part(id).replaceChildren(
    ...Object.entries(facts).map(([name, value]) => {
      const entry = document.createElement('div');
      entry.append(withText('dt', name), withText('dd', value));
      return entry;
    }),
  );
}

function table(id, names, rows) {
  const row = (cells) => {
    const made = document.createElement('tr');
    made.append(...cells);
    return made;
  };
  const head = document.createElement('thead');
  head.append(row(names.map((name) => Object.assign(withText('th', name), { scope: 'col' }))));
  const rest = document.createElement('tbody');
  const cellOf = (text, at) => {
    const cell = withText('td', text);
    cell.dataset.name = names[at];
    return cell;
  };
  rest.append(...rows.map((cells) => row(cells.map(cellOf))));
  part(id).replaceChildren(head, rest);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  let parameters;
  try {
    parameters = parametersOfForm();
  } catch (error) {
    return say(error.message);
  }
  history.pushState(null, '', `/route?${parameters}`);
  void find(parameters);
});
for (const name of ['mode', 'sellToken', 'buyToken']) field(name).addEventListener('input', showUnit);
field('chainId').addEventListener('change', () => {
  showTokens();
  showUnit();
});
part('execute').addEventListener('click', () => void execute());
let resized = 0;
addEventListener('resize', () => {
  clearTimeout(resized);
  resized = setTimeout(() => known.shown !== null && showFlow(), RESIZE_MS);
});
addEventListener('popstate', () => fromAddress());

/** Asks for what the page's address says, where that says all of a trade. */
function fromAddress() {
  const parameters = new URLSearchParams(location.search);
  fillForm(parameters);
  if (['chainId', 'sellToken', 'buyToken'].every((name) => parameters.has(name))) void find(parameters);
}

async function start() {
  const { ok, body } = await ask('/route/chains', '');
  if (!ok) return say(`${body.error}.`);
  known.chains = body.chains;
  known.publicUrl = body.publicUrl;
  if (body.publicUrl !== null) {
    const devnet = await ask('/devnet', '');
    known.devnet = devnet.ok ? devnet.body : null;
  }
  field('chainId').replaceChildren(...known.chains.map(({ chainId, name }) => Object.assign(withText('option', name), { value: String(chainId) })));
  fromAddress();
}

void start();
