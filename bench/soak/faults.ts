import type { Devnet } from '../../src/devnet/devnet.ts';
import type { RpcProxy } from '../../test/support/rpc-proxy.ts';
import type { OwnTarget } from '../load/target-process.ts';
import type { PlannedFault } from './fault-plan.ts';

export type FaultGround = { readonly devnet: Devnet; readonly proxy: RpcProxy; readonly target: OwnTarget };

const STORM_BLOCKS_PER_SECOND = 10;
const SLOW_MS = 1200;

/** Lets a fault happen. Resolves when it is over. */
export async function letHappen({ kind, from, to, size }: PlannedFault, ground: FaultGround): Promise<void> {
  const { devnet, proxy, target } = ground;
  const lasts = 1000 * (to - from);
  switch (kind) {
    case 'block-storm': {
      const timer = setInterval(() => void nodeCall(devnet, 'evm_mine'), 1000 / STORM_BLOCKS_PER_SECOND);
      await sleep(lasts);
      clearInterval(timer);
      return;
    }
    case 'reorg':
      await nodeCall(devnet, 'anvil_reorg', size, []);
      return;
    case 'thread-kill':
      for (let i = 0; i < size; i++) target.killThread();
      return;
    case 'node-refuses':
      await proxy.refuse(true);
      await sleep(lasts);
      await proxy.refuse(false);
      return;
    case 'node-silent':
    case 'chain-stale':
      return during(async () => 'never');
    case 'node-garbage':
      return during(async () => ({ body: '<html>upstream error</html>', status: 200 }));
    case 'node-limits':
      return during(async () => ({ body: 'slow down', status: 429, headers: { 'retry-after': '1' } }));
    case 'node-slow':
      return during(async (_call, forward) => {
        await sleep(SLOW_MS);
        return { json: await forward() };
      });
    default:
      throw new TypeError(`unknown fault ${kind satisfies never}`);
  }

  async function during(rule: NonNullable<Parameters<RpcProxy['setRule']>[0]>): Promise<void> {
    proxy.setRule(rule);
    await sleep(lasts);
    proxy.setRule(null);
  }
}

async function nodeCall({ rpcUrl }: Devnet, method: string, ...params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
