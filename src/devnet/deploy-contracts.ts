import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem';
import type { Address } from '../units/units.ts';
import { TOKEN_ABI } from './abi.ts';
import type { DevnetAccount, HouseAccounts } from './accounts.ts';
import { creationCode, WRAPPED_NATIVE_PLACE } from './artifacts.ts';
import type { CompiledContracts } from './solidity.ts';
import { approxBaseUnits, type TokenKind, type TokenSpec } from './token-table.ts';
import type { TransactionScript } from './transaction-script.ts';

/** A token of the table with its address. */
export type PlacedToken = TokenSpec & { readonly address: Address };

const CONTRACT_BY_KIND: Readonly<Record<Exclude<TokenKind, 'wrapped'>, string>> = {
  standard: 'StandardToken',
  'no-return': 'NoReturnToken',
  bytes32: 'Bytes32Token',
  'no-decimals': 'NoDecimalsToken',
  taxed: 'TaxedToken',
  guarded: 'GuardedToken',
  shares: 'SharesToken',
};

export function deployTokens(script: TransactionScript, specs: readonly TokenSpec[], compiled: CompiledContracts): readonly PlacedToken[] {
  return specs.map((spec) => {
    if (spec.kind === 'wrapped') return { ...spec, address: script.deploy(spec.symbol, creationCode(WRAPPED_NATIVE_PLACE)) };
    const parameters = encodeAbiParameters([{ type: 'string' }, { type: 'string' }, { type: 'uint8' }], [spec.name, spec.symbol, spec.decimals]);
    const code: Hex = compiled[CONTRACT_BY_KIND[spec.kind]]?.bytecode ?? '0x';
    return { ...spec, address: script.deploy(spec.symbol, concatHex([code, parameters])) };
  });
}

const ACCOUNT_USD = 5_000_000;
/** Enough for months of bots: what they lose is the fees of their own swaps. */
const HOUSE_USD = 500_000_000;
/** Wrapped native that the deployer makes: for the first liquidity and everybody's share. */
const WRAPPED_NATIVE = 900_000n * 10n ** 18n;

/** Gives every test account, the bots and the deployer an amount of every token. */
export function fundAccounts(script: TransactionScript, tokens: readonly PlacedToken[], accounts: readonly DevnetAccount[], house: HouseAccounts): void {
  const crowd = accounts.map((account) => account.address);
  const staff = [house.trader, house.provider];
  for (const token of tokens) {
    const share = approxBaseUnits(token, ACCOUNT_USD);
    const purse = approxBaseUnits(token, HOUSE_USD);
    if (token.kind === 'wrapped') {
      script.call('wrap', token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'deposit' }), WRAPPED_NATIVE);
      for (const to of crowd) script.call('fund', token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, share] }));
      for (const to of staff) script.call('fund', token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, purse] }));
    } else {
      script.call('fund', token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [crowd, share] }));
      script.call('fund', token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [[...staff, house.deployer], purse] }));
    }
  }
}

/** Lets each spender take every token of the script's sender. */
export function approveAll(script: TransactionScript, tokens: readonly PlacedToken[], spenders: readonly Address[]): void {
  for (const token of tokens) {
    for (const spender of spenders) {
      script.call(`approve ${token.symbol}`, token.address, encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [spender, 2n ** 256n - 1n] }));
    }
  }
}
