// Writes src/chains/chains.gen.ts and src/chains/venues.gen.ts out of the protocols' own packages. `--check` writes nothing and exits 1 where a file differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gatherChains } from './gather-chains.mjs';
import { gatherVenues } from './gather-venues.mjs';

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const folder = new URL('../../src/chains/', import.meta.url);
const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Which package says what. */
const SOURCES = {
  'chains.gen.ts': {
    viem: 'native token, block time',
    '@uniswap/sdk-core': 'wrapped native token',
    sushi: 'wrapped native token where Uniswap names none, tokens',
    '@uniswap/default-token-list': 'tokens beside those',
    '@aave-dao/aave-address-book': "Chainlink's feeds",
  },
  'venues.gen.ts': {
    '@uniswap/sdk-core': 'factories of Uniswap V2 and V3, managers of V4',
    '@uniswap/v2-sdk': 'its init code hash',
    '@uniswap/v3-sdk': 'its init code hash',
    sushi: "SushiSwap, and Uniswap V3 where Uniswap's own names none",
    '@pancakeswap/v2-sdk': 'PancakeSwap V2',
    '@pancakeswap/v3-sdk': 'PancakeSwap V3',
    '@balancer-labs/v2-deployments': 'factories of Balancer V2',
    '@curvefi/api': 'factories of Curve',
  },
};

function header(name) {
  const lines = Object.entries(SOURCES[name]).map(([source, what]) => `//   ${source} ${devDependencies[source]}: ${what}`);
  return ['// Written by `npm run catalogue` out of these packages. Do not edit: what they do not know is in by-hand.ts.', ...lines, ''].join('\n');
}

const text = (value) => (value === null ? 'null' : `'${value}'`);
const list = (values) => `[${values.map(text).join(', ')}]`;

function chainsFile() {
  const entries = gatherChains().map(
    (chain) => `  {
    chainId: ${chain.chainId},
    nativeSymbol: ${text(chain.nativeSymbol)},
    nativeDecimals: ${chain.nativeDecimals},
    blockTimeMs: ${chain.blockTimeMs},
    wrappedNative: ${text(chain.wrappedNative)},
    stablecoins: ${list(chain.stablecoins)},
    baseTokens: ${list(chain.baseTokens)},
    nativeFeed: ${text(chain.nativeFeed)},
    sequencerFeed: ${text(chain.sequencerFeed)},
  },`,
  );
  return `${header('chains.gen.ts')}
/** Addresses in checksummed form; null where no package says. */
export const CHAIN_FACTS = [
${entries.join('\n')}
] as const;
`;
}

function venuesFile() {
  const rows = gatherVenues().map(({ chainId, venue, family, factory, pools }) => {
    const made = pools === null ? 'null' : `{ deployer: ${text(pools.deployer)}, initCodeHash: ${text(pools.initCodeHash)} }`;
    return `  { chainId: ${chainId}, venue: ${text(venue)}, family: ${text(family)}, factory: ${text(factory)}, pools: ${made} },`;
  });
  return `${header('venues.gen.ts')}
/** Where pools are announced. Addresses in checksummed form. */
export const VENUE_FACTS = [
${rows.join('\n')}
] as const;
`;
}

function current(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

for (const [name, generated] of [
  ['chains.gen.ts', chainsFile()],
  ['venues.gen.ts', venuesFile()],
]) {
  const file = new URL(name, folder);
  if (current(file) === generated) console.log(`src/chains/${name} is what the packages give`);
  else if (options.check) {
    console.error(`src/chains/${name} is not what the packages give: run npm run catalogue`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, generated);
    console.log(`wrote src/chains/${name}`);
  }
}
