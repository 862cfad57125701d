// Writes the addresses of the default token list, by chain, into src/chains/default-tokens.gen.json: npm run tokens [-- --check]

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { CATALOGUE } from '../src/chains/chains.ts';
import { LIMITS } from '../src/config/limits.ts';
import { asAddress } from '../src/units/units.ts';

type List = { readonly tokens: readonly { readonly chainId: number; readonly address: string }[] };

const FILE = new URL('../src/chains/default-tokens.gen.json', import.meta.url);
const { tokens } = createRequire(import.meta.url)('@uniswap/default-token-list') as List;
const byChain = CATALOGUE.map(({ chainId }) => [chainId, addressesOf(chainId)] as const).filter(([, addresses]) => addresses.length > 0);
const text = `${JSON.stringify(Object.fromEntries(byChain), null, 2)}\n`;

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
if (!values.check) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('src/chains/default-tokens.gen.json is not what the list says: npm run tokens\n');
  process.exitCode = 1;
}

function addressesOf(chainId: number): readonly string[] {
  const addresses = new Set(tokens.filter((token) => token.chainId === chainId).map(({ address }) => asAddress(address)));
  return [...addresses].sort().slice(0, LIMITS.indexing.listedTokens);
}
