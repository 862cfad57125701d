import { expect } from 'chai';
import type { Hex } from 'viem';
import { CREATE2_FACTORY } from '../../src/building/building.ts';
import { loadConfig } from '../../src/config/config.ts';
import { runDeploy } from '../../src/deployment/deployment.ts';
import { creationCode, WRAPPED_NATIVE_PLACE } from '../../src/devnet/artifacts.ts';
import { createNodeRpc } from '../../src/devnet/node-rpc.ts';
import { hostConfigured } from '../../src/host-chains.ts';
import { type OracleChain, startOracleChain } from '../support/oracle-chain.ts';

/** Of the chain's first account. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const PAYER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** The one address of the allowance holder, by its code: takers' approvals hang on it, so a change of it is to be seen. */
const ALLOWANCE_HOLDER = '0x046e5ffd1d4d5090ce137e781d03d9f9c0c800bc';

describe('npm run deploy', function suite() {
  this.timeout(600_000);
  let chain: OracleChain;
  let wrappedNative: Hex;
  beforeEach(async () => {
    chain = await startOracleChain();
    wrappedNative = await chain.deploy([], creationCode(WRAPPED_NATIVE_PLACE), []);
  });
  afterEach(() => chain.stop());

  type Changes = { readonly feeCollector?: string; readonly chainId?: number; readonly url?: string; readonly wrappedNative?: string };
  const configuration = (changes: Changes = {}) =>
    JSON.stringify({
      feeCollector: changes.feeCollector ?? '0x00000000000000000000000000000000000000fe',
      chains: [
        {
          chainId: changes.chainId ?? 31_337,
          rpcUrls: [changes.url ?? chain.url],
          wrappedNative: changes.wrappedNative ?? wrappedNative,
          deployments: [{ venue: 'uniswap_v2', family: 'uniswap_v2', factory: '0x00000000000000000000000000000000000000fa', fromBlock: 1 }],
        },
      ],
    });

  async function run(argv: readonly string[], env: Readonly<Record<string, string>> = { DEPLOYER_KEY: KEY }, file = configuration()) {
    const lines: string[] = [];
    const code = await runDeploy(argv, {
      out: (line) => lines.push(line),
      err: (line) => lines.push(line),
      env,
      readFile: () => file,
      limits: { rpcTimeoutMs: 20_000, minedMs: 60_000 },
    });
    return { code, text: lines.join('\n'), addresses: lines.map((line) => /at (0x[0-9a-f]{40})/.exec(line)?.[1]) };
  }
  const deploy = (file = configuration(), env?: Readonly<Record<string, string>>) => run(['--chain', 'devnet', '--config', 'braid.json'], env, file);
  const sent = async () => Number(await createNodeRpc(chain.url).request('eth_getTransactionCount', PAYER, 'latest'));

  /** Settlement addresses of a service that is told nothing of them. */
  async function served(file = configuration()) {
    const loaded = loadConfig({ env: {}, argv: ['--config', 'braid.json'], readFile: () => file, availableParallelism: 2 });
    if (!loaded.ok || loaded.config.mode !== 'config') throw new Error('no configuration');
    const warnings: string[] = [];
    const hosting = hostConfigured(loaded.config, loaded.config.chains);
    const stopLooking = await hosting.verifySettlement((warning) => warnings.push(warning));
    stopLooking();
    return { contracts: hosting.chains[0]?.contracts, warnings: warnings.join('\n') };
  }

  it('deploys both, where a service that is told no addresses finds them and verifies their code; run again it sends nothing', async () => {
    const before = await served();
    expect(before.contracts).to.include({ router: null, allowanceHolder: null });
    expect(before.warnings).to.match(/serves no swaps: the allowance holder at 0x[0-9a-f]{40} has no code/);
    const looked = await run(['--chain', '31337', '--config', 'braid.json', '--dry-run'], {});
    expect(looked.text.match(/not deployed; it would be at/g)).to.have.length(2);
    const nonce = await sent();
    const first = await deploy();
    expect(first.code, first.text).to.equal(0);
    expect(await sent()).to.equal(nonce + 2);
    expect(first.addresses).to.deep.equal(looked.addresses);
    const [allowanceHolder, router] = first.addresses;
    expect((await served()).contracts).to.include({ allowanceHolder, router });
    expect((await served(configuration({ url: chain.url.replace('http:', 'ws:') }))).contracts, 'over a WebSocket').to.include({ allowanceHolder, router });
    const again = await deploy();
    expect([again.code, await sent(), again.addresses]).to.deep.equal([0, nonce + 2, first.addresses]);
  });

  it('one allowance holder for every Router, whoever pays; what is missing alone is deployed; a Router of other settings is another', async () => {
    const first = await deploy();
    const other = configuration({ feeCollector: '0x00000000000000000000000000000000000000fd' });
    const nonce = await sent();
    const second = await deploy(other);
    expect([second.code, await sent()]).to.deep.equal([0, nonce + 1]);
    expect(second.addresses[0]).to.equal(first.addresses[0]).and.to.equal(ALLOWANCE_HOLDER);
    expect(second.addresses[1]).not.to.equal(first.addresses[1]);
    // Either service uses its own Router, though both stand.
    expect((await served()).contracts?.router).to.equal(first.addresses[1]);
    expect((await served(other)).contracts?.router).to.equal(second.addresses[1]);
  });

  it('a chain whose code differs serves no swaps, and its start is not refused', async () => {
    const { addresses } = await deploy();
    await createNodeRpc(chain.url).request('anvil_setCode', addresses[1], '0x00');
    const { contracts, warnings } = await served();
    expect(contracts).to.include({ router: null, allowanceHolder: null });
    expect(warnings).to.contain('does not carry the code of this version');
    const refused = await deploy();
    expect([refused.code, refused.text]).to.satisfy(([code, text]: [number, string]) => code === 1 && text.includes('stands other code'));
  });

  it('says what is wrong, sends nothing, and shows neither key nor node', async () => {
    const nonce = await sent();
    const rpc = createNodeRpc(chain.url);
    const poor = `0x${'11'.repeat(32)}`;
    const secret = 'http://user:secret@127.0.0.1:9';
    const cases: readonly (readonly [Awaited<ReturnType<typeof run>>, RegExp])[] = [
      [await run([]), /--chain NAME is missing/],
      [await run(['--chain', 'x', '--chain', 'y']), /--chain is given twice/],
      [await run(['--chian', 'x']), /Unknown option '--chian'/],
      [await run(['--chain', 'atlantis']), /no chain is called 'atlantis'; known are ethereum, base/],
      [await run(['--chain', 'base']), /base needs --config FILE/],
      [await run(['--chain', 'base', '--config', 'braid.json']), /braid.json has no chain 'base'; it has devnet/],
      [await deploy(configuration(), {}), /DEPLOYER_KEY is not set/],
      [await deploy(configuration(), { DEPLOYER_KEY: `${KEY}00` }), /is no private key/],
      [await deploy(configuration(), { DEPLOYER_KEY: KEY.slice(0, -1) }), /is no private key/],
      [await deploy(configuration(), { DEPLOYER_KEY: `0x${'ff'.repeat(32)}` }), /is no private key/],
      [await deploy(configuration(), { DEPLOYER_KEY: poor }), /the account 0x[0-9a-fA-F]{40} has 0 of the native token; this may take 0\.\d+/],
      [await deploy(configuration({ url: secret })), /^deploy: devnet: the node failed/],
      [await run(['--chain', '1', '--config', 'f'], { DEPLOYER_KEY: KEY }, configuration({ chainId: 1 })), /the node is one of chain 31337, not 1/],
      [await deploy(configuration({ wrappedNative: '0x00000000000000000000000000000000000000ee' })), /has no code/],
    ];
    for (const [{ code, text }, expected] of cases) {
      expect(code, text).to.equal(1);
      expect(text).to.match(expected).and.not.contain('secret').and.not.contain(KEY.slice(2)).and.not.contain(poor);
    }
    await rpc.request('anvil_setCode', CREATE2_FACTORY, '0x');
    expect((await deploy()).text).to.match(/the CREATE2 factory 0x4e59[0-9a-f]{36} is not on this chain/);
    expect(await sent()).to.equal(nonce);
  });

  it('a chain without transient storage is refused by asking it, before anything is sent', async () => {
    const old = await startOracleChain('shanghai');
    try {
      const { code, text } = await deploy(configuration({ url: old.url }));
      expect([code, text.includes('EIP-1153')]).to.deep.equal([1, true]);
    } finally {
      await old.stop();
    }
  });
});
