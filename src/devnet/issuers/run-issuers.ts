import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { Address } from '../../units/units.ts';
import type { Issuance } from '../../venues/venues.ts';
import { TOKEN_ABI } from '../abi.ts';
import type { DevnetAccount } from '../accounts.ts';
import type { PlacedToken } from '../deploy-contracts.ts';
import { DevnetError } from '../devnet-error.ts';
import type { NodeRpc } from '../node-rpc.ts';
import { compileVenue } from '../solidity.ts';
import { approxBaseUnits } from '../token-table.ts';
import { createTransactionScript, sendBatch, toHex } from '../transaction-script.ts';
import { type IssuerServer, startIssuerServer } from './issuer-server.ts';
import { ASSETS, usdOf } from './quoted-price.ts';

/** An issuer that answers, as the service is told of it. */
export type RunningIssuer = IssuerServer & {
  readonly name: string;
  readonly contract: Address;
  readonly signer: Address;
  readonly apiKey: string;
  readonly issues: Issuance;
};

export type RunIssuersParts = {
  readonly rpc: NodeRpc;
  readonly chainId: number;
  readonly host: string;
  readonly issuer: DevnetAccount;
  readonly accounts: readonly DevnetAccount[];
  readonly deployer: Address;
  /** Who may mint and redeem. */
  readonly router: Address;
  readonly tokens: readonly PlacedToken[];
  /** Of Uniswap V2: where assets have pools beside. */
  readonly exchange: Address;
};

const NAME = 'exchequer';
/** Protects nothing, like the keys of the accounts. */
const API_KEY = 'devnet-issuer-key';
const CHAIN = 'devnet-31337';
const USER_ID: Hex = `0x${'474d'.padEnd(64, '1')}`;
const SOURCES = ['contracts/devnet/issuance/GMDesk.sol', 'contracts/devnet/issuance/IssuedAsset.sol'];
const SIZES = ['1', '10', '100', '1000'].map((size) => BigInt(size) * 10n ** 18n);
const DOLLAR = 'DAI';
/** Beside the issuer assets are traded at pools with this token, each with so many USD on either side. */
const [BESIDE, POOL_USD] = ['USDC', 400_000];
const ACCOUNT_USD = 200_000;
/** What the contract pays redemptions from. */
const STOCK_USD = 50_000_000;
const MAX = 2n ** 256n - 1n;

const DESK_ABI = parseAbi(['function issue(address asset, address[] accounts, uint256 amount)', 'function register(address user, bytes32 userId)']);
const EXCHANGE_ABI = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
]);

/**
 * Deploys the issuer's contract and its assets on the running chain, gives the accounts some, makes a pool of each beside, and starts its server on a free port. Not a part of the chain that is laid out: what is there is where it would be without an issuer.
 */
export async function runIssuers(parts: RunIssuersParts): Promise<readonly RunningIssuer[]> {
  const { chainId, host, issuer, tokens } = parts;
  const dollar = tokenOf(tokens, DOLLAR);
  const { contract, assets } = await deployDesk(parts, dollar);
  const priced = assets.map(({ symbol, token, usd }) => ({ symbol, token, usd: usdOf(usd) }));
  const facts = { key: issuer.privateKey, apiKey: API_KEY, chainId, chain: CHAIN, contract, userId: USER_ID };
  const server = await startIssuerServer({ ...facts, assets: priced }, host);
  const issues = { chain: CHAIN, dollar: dollar.address, assets: assets.map(({ symbol, token }) => ({ symbol, token, sizes: SIZES })) };
  return [{ ...server, name: NAME, contract, signer: issuer.address, apiKey: API_KEY, issues }];
}

type Deployed = { readonly contract: Address; readonly assets: readonly { readonly symbol: string; readonly token: Address; readonly usd: number }[] };

async function deployDesk({ rpc, issuer, accounts, deployer, router, tokens, exchange }: RunIssuersParts, dollar: PlacedToken): Promise<Deployed> {
  const compiled = await compileVenue('issuance', SOURCES);
  const codeOf = (name: string): Hex => {
    const code = compiled[name]?.bytecode;
    if (code === undefined) throw new DevnetError(`the sources of the issuer have no contract ${name}`);
    return code;
  };
  const beside = tokenOf(tokens, BESIDE);
  const nonce = Number(await rpc.request('eth_getTransactionCount', issuer.address, 'latest'));
  const script = createTransactionScript(issuer.address, nonce);
  const addresses = encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [dollar.address, issuer.address]);
  const contract = script.deploy('the issuer’s contract', concatHex([codeOf('GMDesk'), addresses]));
  const assets = ASSETS.map(({ symbol, name, usd }) => {
    const types = [{ type: 'string' }, { type: 'string' }, { type: 'address' }] as const;
    return { symbol, usd, token: script.deploy(symbol, concatHex([codeOf('IssuedAsset'), encodeAbiParameters(types, [name, symbol, contract])])) };
  });
  script.call('register the Router', contract, encodeFunctionData({ abi: DESK_ABI, functionName: 'register', args: [router, USER_ID] }));
  script.call('approve', beside.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [exchange, MAX] }));
  for (const { symbol, token, usd } of assets) {
    const worth = (ofUsd: number): bigint => (usdOf(ofUsd) * 10n ** 18n) / usdOf(usd);
    const give = (to: readonly Address[], amount: bigint): void =>
      script.call(`give ${symbol}`, contract, encodeFunctionData({ abi: DESK_ABI, functionName: 'issue', args: [token, to, amount] }));
    give(
      accounts.map(({ address }) => address),
      worth(ACCOUNT_USD),
    );
    give([issuer.address], worth(POOL_USD));
    script.call('approve', token, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [exchange, MAX] }));
    const amounts = [worth(POOL_USD), approxBaseUnits(beside, POOL_USD), 0n, 0n] as const;
    const args = [token, beside.address, ...amounts, issuer.address, MAX] as const;
    script.call(`make ${symbol}/${BESIDE}`, exchange, encodeFunctionData({ abi: EXCHANGE_ABI, functionName: 'addLiquidity', args }));
  }
  // By nonces of the node's own: the deployer has other things to send.
  for (const [token, to, usd] of [
    [dollar, contract, STOCK_USD],
    [beside, issuer.address, POOL_USD * ASSETS.length],
  ] as const) {
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [[to], approxBaseUnits(token, usd)] });
    await rpc.request('eth_sendTransaction', { from: deployer, to: token.address, data, gas: toHex(1_000_000), gasPrice: toHex(100n * 10n ** 9n) });
  }
  await rpc.request('evm_mine');
  await sendBatch(rpc, script.take());
  return { contract, assets };
}

function tokenOf(tokens: readonly PlacedToken[], symbol: string): PlacedToken {
  const found = tokens.find((token) => token.symbol === symbol);
  if (found === undefined) throw new DevnetError(`the local chain has no token ${symbol}`);
  return found;
}
