import { createLog, createMetrics } from '../../src/observe/observe.ts';

/** A log whose lines are kept. */
export function captured(level = 'info') {
  const lines: string[] = [];
  return { lines, log: createLog({ level, destination: { write: (line: string) => void lines.push(line) } }) };
}

export const CHAINS = [
  { chainId: 1, name: 'ethereum', rpcEndpoints: 2, makers: ['harbour'], attesters: ['lighthouse'] },
  { chainId: 56, name: 'bsc', rpcEndpoints: 1 },
];
export const quietMetrics = () => createMetrics({ version: '0', mode: 'test', chains: CHAINS, venues: ['uniswap_v2', 'uniswap_v3'], defaults: false });

export const FACTS = {
  reqId: 'r-1',
  route: 'quote',
  status: 200,
  outcome: 'ok',
  keyId: 'AbCdEfGh',
  refusal: null,
  totalMs: 4.2,
  quoteId: 'q',
  chainId: 1,
  queueMs: 0.1234567,
  solveMs: 3,
  measureMs: null,
  requoteMs: null,
  firmMs: null,
  buildMs: 0.2,
  block: 7,
};
