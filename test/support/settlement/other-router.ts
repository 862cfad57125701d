import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concatHex, encodeDeployData, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { legsFrom, renderDispatch } from '../../../scripts/contracts/legs.ts';
import { compileSolidity } from '../../../scripts/solidity.ts';
import { encodePayload, type Leg, ROUTER_ABI, type SwapTerms } from '../../../src/building/building.ts';
import { LEG_KINDS } from '../../../src/building/encode/leg-kinds.gen.ts';
import { type Address, asBps, NATIVE_TOKEN } from '../../../src/units/units.ts';
import { ROOT } from '../source-files.ts';
import type { Ground } from './ground.ts';
import { execData } from './swaps.ts';
import type { Call } from './test-chain.ts';

/** Legs for tests (contracts/devnet/legs/), which no deployed Router has. */
export type TestLeg = 'puppet_callback' | 'puppet_custody';

const LEGS = join(ROOT, 'contracts', 'legs');
const TEST_LEGS = join(ROOT, 'contracts', 'devnet', 'legs');

/** Deploys a Router that has the legs for tests beside its own: the same sources with another generated dispatch. */
export async function deployRouterWithTestLegs(ground: Ground): Promise<Address> {
  const names = readdirSync(TEST_LEGS);
  const files = [...readdirSync(LEGS).map((name) => [name, join(LEGS, name)]), ...names.map((name) => [name, join(TEST_LEGS, name)])];
  const legs = legsFrom(new Map(files.map(([name = '', file = '']) => [name, readFileSync(file, 'utf8')])));
  const dispatch = names.reduce((text, name) => text.replace(`./legs/${name}`, `./devnet/legs/${name}`), renderDispatch(legs));
  const sources = { 'contracts/Router.sol': readFileSync(join(ROOT, 'contracts', 'Router.sol'), 'utf8'), 'contracts/Dispatch.gen.sol': dispatch };
  // What a Router does is the same however often its code is said to run, and this takes the compiler half the time.
  const { Router } = await compileSolidity(sources, { viaIR: true, runs: 1 });
  if (Router === undefined) throw new Error('the Router is not compiled');
  ground.chain.know(Router.abi);
  const { allowanceHolder, wrappedNative, accounts } = ground;
  return ground.chain.deploy(accounts.deployer, encodeDeployData({ ...Router, args: [allowanceHolder, wrappedNative, accounts.collector] }));
}

type TestHop = Leg & { readonly testLeg: TestLeg };

/** What the encoder knows no kind for is written as a wrap with the pool as its data, and gets its kind afterwards. */
export function throughTestLeg(leg: TestLeg, venue: Address, tokenIn: Address, tokenOut: Address, bps = 10_000): TestHop {
  return { leg: 'wrap', bps: asBps(bps), tokenIn, tokenOut, pool: venue, data: '0x', testLeg: leg };
}

const KINDS: Readonly<Record<TestLeg, number>> = { puppet_callback: 251, puppet_custody: 250 };

/** The transaction of a taker through another router. */
export function callThrough(ground: Ground, router: Address, terms: SwapTerms): Call {
  const kindAndShare = (kind: number, bps: number) => concatHex([numberToHex(kind, { size: 1 }), numberToHex(bps, { size: 2 })]).slice(2);
  const payload = terms.legs.filter(isTestHop).reduce<string>((text, { testLeg, pool, bps }) => {
    const hop = new RegExp(`${kindAndShare(LEG_KINDS.get('wrap') ?? 0, bps)}(.{4}${pool?.slice(2)})`);
    return text.replace(hop, `${kindAndShare(KINDS[testLeg], bps)}$1`);
  }, encodePayload(terms));
  if (terms.sellToken === NATIVE_TOKEN)
    return { to: router, data: encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: [payload as Hex] }), value: terms.sellAmount };
  return { to: ground.allowanceHolder, data: execData(router, terms.sellToken, terms.sellAmount, payload as Hex) };
}

function isTestHop(leg: Leg): leg is TestHop {
  return 'testLeg' in leg;
}
