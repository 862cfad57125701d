import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { getCreate2Address, type Hex, keccak256 } from 'viem';
import { createProbeNode } from '../../src/indexing/probe-node.ts';
import { createRpc } from '../../src/indexing/rpc/rpc.ts';
import { createTransferMeter, type Measured, readProbeCode } from '../../src/market/market.ts';
import { type Address, asAddress } from '../../src/units/units.ts';
import { describeWithSharedData, sharedData } from '../pool-set/shared-data.ts';
import { type RecordedChain, startRecordedChain } from '../support/recorded-chain.ts';

const WETH = asAddress('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2');
const V2_FACTORY = '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f';
/** Of Uniswap's own pairs, as its periphery has it. */
const PAIR_CODE_HASH = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';

type Recorded = {
  readonly buyTaxBps: readonly number[];
  readonly sellTaxBps: readonly number[];
  readonly blocks: readonly number[];
  /** What a fresh account that buys and sells half paid on the recorded state, by the set's authors. */
  readonly measuredOnLocalState: readonly { readonly buyBps: number | null; readonly sellBps: number | null; readonly sellStatus: string | null }[];
};

/** No tax that was ever recorded in these blocks comes near; more is a side of which slots are missing. */
const COMPLETE_BELOW_BPS = 1000;
/** Parts per million in a hundredth of a percent. */
const ONE_BPS = 100;

describeWithSharedData('taxed tokens of recorded blocks', function suite() {
  this.timeout(600_000);
  const file = JSON.parse(readFileSync(sharedData('requests/taxed-tokens.json'), 'utf8')) as { readonly tokens: Readonly<Record<Address, Recorded>> };

  for (const [block, hardfork, tokens] of [
    [17_666_333, 'shanghai', 3],
    [19_932_148, 'cancun', 0],
  ] as const) {
    it(`of block ${block}: what is measured is what swaps paid, of the ${tokens} whose both sides are complete, and none is taken for plain`, async () => {
      const chain = await startRecordedChain(sharedData(`state/eth-${block}.genesis.json.gz`), hardfork, block);
      try {
        let complete = 0;
        for (const [token, recorded] of Object.entries(file.tokens)) {
          if (!recorded.blocks.includes(block)) continue;
          const measured = await measure(chain, asAddress(token));
          if (measured.kind !== 'verdict') throw new Error(`${token}: ${measured.message}`);
          const { verdict } = measured;
          const taxes = taxesOf(recorded);
          if (taxes === null) {
            // What of a token is missing makes it fail: it is never taken for plain.
            expect(verdict.kind, token).to.be.oneOf(['taxed', 'gated', 'unmeasurable']);
            continue;
          }
          complete++;
          if (verdict.kind !== 'taxed') throw new Error(`${token}: ${JSON.stringify(verdict)}`);
          expect(Math.abs(verdict.buyPpm - taxes.buyPpm), `${token} bought`).to.be.at.most(ONE_BPS);
          expect(Math.abs(verdict.sellPpm - taxes.sellPpm), `${token} sold`).to.be.at.most(ONE_BPS);
        }
        expect(complete).to.equal(tokens);
      } finally {
        await chain.stop();
      }
    });
  }
});

/** null where a side is not complete: nobody traded it in the block, and the state does not have what it takes. */
function taxesOf({ buyTaxBps, sellTaxBps, measuredOnLocalState: [local] }: Recorded): { readonly buyPpm: number; readonly sellPpm: number } | null {
  const [buyBps] = buyTaxBps;
  const isSold = local?.sellStatus === '0x1' && local.sellBps !== null && local.sellBps < COMPLETE_BELOW_BPS;
  const sellBps = sellTaxBps[0] ?? (isSold ? local.sellBps : null);
  return buyBps === undefined || sellBps === null ? null : { buyPpm: buyBps * 100, sellPpm: sellBps * 100 };
}

async function measure(chain: RecordedChain, token: Address): Promise<Measured> {
  const rpc = createRpc({ urls: [chain.url], chainId: 1, fetch, random: Math.random, onHead: () => undefined });
  try {
    const meter = createTransferMeter({
      node: createProbeNode(rpc),
      code: readProbeCode(),
      random: randomBytes,
      settlement: { router: null, allowanceHolder: null, permit2: null },
      minimumGasPriceWei: 0n,
    });
    const { number, hash, baseFeePerGas } = (await chain.rpc.request('eth_getBlockByNumber', 'latest', false)) as Record<
      'number' | 'hash' | 'baseFeePerGas',
      Hex
    >;
    const pools = [pairOf(token, WETH)];
    return await meter.measure(token, { pools, deepest: null }, { number: Number(number), hash, baseFeePerGas: BigInt(baseFeePerGas) }, async () => [], null);
  } finally {
    rpc.close();
  }
}

function pairOf(one: Address, other: Address): Address {
  const [first, second] = [one, other].sort() as [Address, Address];
  const salt = keccak256(`0x${first.slice(2)}${second.slice(2)}`);
  return asAddress(getCreate2Address({ from: V2_FACTORY, salt, bytecodeHash: PAIR_CODE_HASH }));
}
