import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { size } from 'viem';
import { ROOT } from '../source-files.ts';
import type { Ground } from './ground.ts';
import type { Call } from './test-chain.ts';

const SNAPSHOT = join(ROOT, 'contracts', 'gas-snapshot.json');

export type Measured = { readonly gas: number; readonly calldataBytes: number };

/** Gas of the taker's transaction in a block of its own, ten seconds after the last: oracles write what they write in life. Everything is taken back. */
export async function measureGas({ chain, accounts }: Ground, call: Call): Promise<Measured> {
  return chain.apart(async () => {
    await waitTenSeconds(chain);
    const receipt = await chain.mustSend(accounts.taker, call);
    return { gas: receipt.gasUsed, calldataBytes: size(call.data ?? '0x') };
  });
}

/** The next block is ten seconds after the last. */
export async function waitTenSeconds({ rpc }: Ground['chain']): Promise<void> {
  const head = (await rpc.request('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: string };
  await rpc.request('evm_setNextBlockTimestamp', Number(head.timestamp) + 10);
}

/** What was measured is as in contracts/gas-snapshot.json, section by section. `npm run gas` writes these sections anew, and leaves the others. */
export function holdSnapshot(found: Readonly<Record<string, unknown>>): void {
  const kept = existsSync(SNAPSHOT) ? (JSON.parse(readFileSync(SNAPSHOT, 'utf8')) as Readonly<Record<string, unknown>>) : {};
  if (process.env.BRAID_UPDATE_GAS === '1') writeFileSync(SNAPSHOT, `${JSON.stringify({ ...kept, ...found }, null, 2)}\n`);
  else {
    const same = Object.fromEntries(Object.keys(found).map((section) => [section, kept[section]]));
    expect(found, 'run npm run gas to write it anew, and say in the change why').to.deep.equal(same);
  }
}
