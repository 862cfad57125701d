import { expect } from 'chai';
import { loadConfig } from '../../src/config/config.ts';

const [CONTRACT, SIGNER, STAKER, REGISTRY] = ['11', '22', '33', '44'].map((byte) => `0x${byte.repeat(20)}`);
const MAKER = { protocol: 'airswap', name: 'harbour', url: 'https://harbour.example', contract: CONTRACT };
const DEPLOYMENT = { venue: 'uniswap_v2', family: 'uniswap_v2', factory: CONTRACT, fromBlock: 1 };

function load(makers: readonly object[], more: object = {}) {
  const chain = { chainId: 1, rpcUrls: ['https://rpc.example'], deployments: [DEPLOYMENT], makers, ...more };
  const text = JSON.stringify({ feeCollector: CONTRACT, chains: [chain] });
  return loadConfig({ env: {}, argv: ['--config', 'braid.json'], availableParallelism: 2, readFile: () => text });
}

function chainOf(makers: readonly object[], more: object = {}) {
  const loaded = load(makers, more);
  if (!loaded.ok) throw new Error(loaded.message);
  const { config } = loaded;
  const [chain] = config.mode === 'config' ? config.chains : [];
  return { makers: chain?.makers, listedMakers: chain?.listedMakers };
}

describe('makers in the configuration', () => {
  const common = { venue: 'airswap', name: 'harbour', origin: 'https://harbour.example', contract: CONTRACT };

  it('with a signer are asked always, at the path that is configured', () => {
    const configured = { ...MAKER, url: 'https://harbour.example/rfq?key=1', signer: SIGNER };
    for (const more of [{}, { makerRegistry: REGISTRY }])
      expect(chainOf([configured], more)).to.deep.equal({ makers: [{ ...common, path: '/rfq?key=1', signer: SIGNER }], listedMakers: null });
  });

  it('are told the taker alone where they screen, whether a registry lists them or not; they meter users otherwise', () => {
    const { makers, listedMakers } = chainOf(
      [
        { ...MAKER, signer: SIGNER, screens: true },
        { ...MAKER, name: 'quay', signer: SIGNER, screens: false },
        { ...MAKER, name: 'pier', screens: true },
      ],
      { makerRegistry: REGISTRY },
    );
    expect(makers?.map(({ name, screens }) => [name, screens])).to.deep.equal([
      ['harbour', true],
      ['quay', undefined],
    ]);
    expect(listedMakers?.makers.map(({ name, screens }) => [name, screens])).to.deep.equal([['pier', true]]);
    expect(load([{ ...MAKER, signer: SIGNER, screens: 'yes' }]).ok).to.equal(false);
  });

  it('without one, or with a staker, are asked while the registry lists them', () => {
    const makers = [MAKER, { ...MAKER, name: 'quay', url: 'https://quay.example/', staker: STAKER, signer: SIGNER }];
    expect(chainOf(makers, { makerRegistry: REGISTRY })).to.deep.equal({
      makers: [],
      listedMakers: {
        registry: REGISTRY,
        makers: [
          { ...common, staker: null, signer: null },
          { ...common, name: 'quay', origin: 'https://quay.example', staker: STAKER, signer: SIGNER },
        ],
      },
    });
    const sharing = [MAKER, MAKER].map((maker, at) => ({ ...maker, name: `maker-${at}`, staker: at === 0 ? STAKER : SIGNER }));
    expect(chainOf(sharing, { makerRegistry: REGISTRY }).listedMakers?.makers).to.have.length(2);
  });

  for (const [what, makers, more, said] of [
    ['no signer and no registry', [MAKER], {}, 'chains.0.makers.0 has no signer, and chains.0 no makerRegistry'],
    ['a staker and no registry', [{ ...MAKER, signer: SIGNER, staker: STAKER }], {}, 'chains.0.makers.0 has a staker'],
    [
      'a path that the registry gives',
      [{ ...MAKER, url: 'https://harbour.example/secret-path' }],
      { makerRegistry: REGISTRY },
      'chains.0.makers.0.url has a path',
    ],
    [
      'one origin for two',
      [MAKER, { ...MAKER, name: 'quay', staker: STAKER }],
      { makerRegistry: REGISTRY },
      'chains.0.makers.1.url is where another one answers',
    ],
    ['one name for two', [{ ...MAKER, signer: SIGNER }, MAKER], { makerRegistry: REGISTRY }, 'chains.0.makers.1.name is harbour, which another one has'],
    ['a password', [{ ...MAKER, url: 'https://name:secret-path@harbour.example' }], { makerRegistry: REGISTRY }, 'chains.0.makers.0.url is no URL'],
    ['another scheme', [{ ...MAKER, url: 'ws://secret-path.example', signer: SIGNER }], {}, 'chains.0.makers.0.url is no URL'],
  ] as const) {
    it(`are refused: ${what}`, () => {
      const loaded = load(makers, more);
      const message = loaded.ok ? '' : loaded.message;
      expect(message).to.include(said);
      expect(message).to.not.include('secret-path');
    });
  }
});
