import { concatHex, encodeAbiParameters, encodeFunctionData } from 'viem';
import type { Address } from '../../units/units.ts';
import { TOKEN_ABI } from '../abi.ts';
import type { DevnetAccount } from '../accounts.ts';
import { creationCode } from '../artifacts.ts';
import { approveAll, type PlacedToken } from '../deploy-contracts.ts';
import { DevnetError } from '../devnet-error.ts';
import { approxBaseUnits } from '../token-table.ts';
import { createTransactionScript, type TransactionBatch, type TransactionScript } from '../transaction-script.ts';
import type { MakerPair } from './levels.ts';

/** A maker of the local chain before it answers. */
export type PlannedMaker = {
  readonly name: string;
  readonly account: DevnetAccount;
  readonly spread: number;
  /** Whether it screens whoever swaps; else it meters users. */
  readonly screens: boolean;
  readonly pairs: readonly MakerPair[];
};

/** The makers and where they settle. `batches`: what they send themselves, before they have any tokens. */
export type PlannedMakers = { readonly contract: Address; readonly makers: readonly PlannedMaker[]; readonly batches: readonly TransactionBatch[] };

/** Of signed amounts, basis points: what a maker pays the contract's owner on top. */
export const PROTOCOL_FEE_BPS = 5n;
const LIGHT_FEE_BPS = 3n;
/** As on Ethereum. */
const [BONUS_SCALE, BONUS_MAX] = [10n, 100n];

const TABLE = [
  { name: 'harbour', spread: 0.0003, screens: false, pairs: ['WETH/USDC', 'WBTC/USDC', 'WETH/USDT', 'LINK/WETH'] },
  { name: 'meridian', spread: 0.0005, screens: true, pairs: ['WETH/USDC', 'WBTC/WETH', 'USDC/USDT', 'DAI/USDC'] },
] as const;
const INVENTORY_USD = 3_000_000;

/** Plans the contract of AirSwap, and makers with wallets of their own. The first of them deploys it. */
export function planMakers(accounts: readonly DevnetAccount[], tokens: readonly PlacedToken[]): PlannedMakers {
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  const makers = TABLE.map(({ name, spread, screens, pairs }, at): PlannedMaker => {
    const account = accounts[at];
    if (account === undefined) throw new DevnetError('too few accounts for the makers');
    return { name, account, spread, screens, pairs: pairs.map((symbols) => pairOf(symbols, bySymbol)) };
  });
  const scripts = makers.map(({ account }) => createTransactionScript(account.address));
  const contract = deploySwapERC20(scripts[0] as TransactionScript, (makers[0] as PlannedMaker).account.address);
  for (const [at, maker] of makers.entries()) approveAll(scripts[at] as TransactionScript, tokensOf(maker), [contract]);
  return { contract, makers, batches: scripts.map((script) => script.take()) };
}

/** What its contract is built with on the local chain. */
export function deploySwapERC20(script: TransactionScript, feeWallet: Address): Address {
  const types = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'address' }, { type: 'uint256' }, { type: 'uint256' }] as const;
  const parameters = encodeAbiParameters(types, [PROTOCOL_FEE_BPS, LIGHT_FEE_BPS, feeWallet, BONUS_SCALE, BONUS_MAX]);
  const code = creationCode('@airswap/swap-erc20/build/contracts/SwapERC20.sol/SwapERC20.json');
  return script.deploy('SwapERC20', concatHex([code, parameters]));
}

/** Adds what gives the makers their tokens to the script of whoever mints them. Last of all: what is deployed before is where it would be without makers. */
export function fundMakers(script: TransactionScript, { makers }: PlannedMakers): void {
  for (const maker of makers) {
    const { address } = maker.account;
    for (const token of tokensOf(maker)) {
      const amount = approxBaseUnits(token, INVENTORY_USD);
      const data =
        token.kind === 'wrapped'
          ? encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [address, amount] })
          : encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [[address], amount] });
      script.call(`${maker.name} gets ${token.symbol}`, token.address, data);
    }
  }
}

function tokensOf({ pairs }: PlannedMaker): readonly PlacedToken[] {
  return [...new Map(pairs.flatMap(({ base, quote }) => [base, quote]).map((token) => [token.address, token])).values()];
}

function pairOf(symbols: string, bySymbol: ReadonlyMap<string, PlacedToken>): MakerPair {
  const [base, quote] = symbols.split('/').map((symbol) => bySymbol.get(symbol));
  if (base === undefined || quote === undefined) throw new DevnetError(`a maker prices an unknown token: ${symbols}`);
  return { base, quote };
}
