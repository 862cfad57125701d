import { expect } from 'chai';
import type { ChainView, HostedChain } from '../../src/chains/chains.ts';
import { asAddress, type DurationMs, type EpochSeconds } from '../../src/units/units.ts';
import { checkForChain, checkForTime } from '../../src/validation/validation.ts';
import { accepted, type Changes, expectReadable, RECIPIENT, TAKER } from './queries.ts';

const ROUTER = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const HOLDER = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const NOW = 1_800_000_000 as EpochSeconds;

function viewAt(timestamp: number): ChainView {
  const block = { number: 1, hash: '0x01', timestamp: timestamp as EpochSeconds, baseFeePerGas: null } as const;
  return { phase: 'live', block, age: 0 as DurationMs, labels: [] };
}

function hostedChain(view: ChainView, deployed = true): HostedChain {
  return {
    chain: { chainId: 1, name: 'ethereum', aliases: ['eth'], wrappedNative: null, minimumGasPriceWei: 1n },
    wrappedNative: asAddress(RECIPIENT),
    contracts: { router: deployed ? asAddress(ROUTER) : null, allowanceHolder: deployed ? asAddress(HOLDER) : null, permit2: asAddress(RECIPIENT) },
    feeCollector: asAddress(RECIPIENT),
    freshnessBound: 1 as DurationMs,
    gatedVenues: [],
    wellKnownTokens: { has: () => true },
    view: () => view,
  };
}

function check(changes: Changes, hosted = hostedChain(viewAt(NOW - 12)), developmentMode = false): string | null {
  const request = accepted(changes, 'swap', developmentMode);
  const message = checkForTime(request, NOW) ?? checkForChain(request, hosted);
  if (message !== null) expectReadable(message);
  return message;
}

describe('checkForTime and checkForChain', () => {
  it('has nothing against a plain request', () => expect(check({ recipient: RECIPIENT, feeRecipient: TAKER })).to.equal(null));

  for (const [name, address] of [
    ['router', ROUTER],
    ['allowance holder', HOLDER],
  ] as const) {
    it(`refuses the ${name} as recipient or feeRecipient in any letter case, feeBps or not (R11)`, () => {
      expect(check({ recipient: address.toLowerCase() })).to.contain(`recipient is ${address.toLowerCase()}, the ${name}`);
      expect(check({ feeRecipient: address })).to.match(/^feeRecipient is /);
      expect(check({ feeRecipient: address, feeBps: '10' })).to.match(/^feeRecipient is /);
    });
  }

  it('refuses a recipient that is the override of the router', () => {
    expect(check({ recipient: RECIPIENT, routerAddress: RECIPIENT }, hostedChain(viewAt(NOW)), true)).to.match(/^recipient is .* the router/);
    expect(check({ recipient: ROUTER, routerAddress: RECIPIENT }, hostedChain(viewAt(NOW)), true)).to.equal(null);
  });

  it('compares with nothing while nothing is deployed', () => expect(check({ recipient: ROUTER }, hostedChain(viewAt(NOW), false))).to.equal(null));

  describe('deadline (R8)', () => {
    it('has to be after the wall clock when that is ahead of the head', () => {
      expect(check({ deadline: `${NOW}` })).to.match(/^deadline is 1800000000; expected unix seconds after 1800000000/);
      expect(check({ deadline: `${NOW + 1}` })).to.equal(null);
      for (const past of ['0', '1', `${NOW - 12}`]) expect(check({ deadline: past })).to.match(/^deadline is /);
    });
    it('has to be after the head when that is ahead of the wall clock', () => {
      const ahead = hostedChain(viewAt(NOW + 100));
      expect(check({ deadline: `${NOW + 100}` }, ahead)).to.match(/after 1800000100$/);
      expect(check({ deadline: `${NOW + 101}` }, ahead)).to.equal(null);
    });
    it('is compared with the wall clock while the chain is coming up', () => {
      const comingUp = hostedChain({ phase: 'coming-up', labels: [] });
      expect(check({ deadline: `${NOW}` }, comingUp)).to.match(/^deadline is /);
      expect(check({ deadline: '9223372036854775807' }, comingUp)).to.equal(null);
    });
  });
});
