import { pbkdf2Sync } from 'node:crypto';
import { bytesToHex, type Hex } from 'viem';
import { HDKey, hdKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { type Address, asAddress } from '../units/units.ts';
import { DevnetError } from './devnet-error.ts';

/** A funded account whose key everybody knows. */
export type DevnetAccount = { readonly address: Address; readonly privateKey: `0x${string}` };

/** Accounts of the chain's own doings. Their keys are in the node: nothing here signs. */
export type HouseAccounts = {
  /** Deploys everything and holds the first liquidity. */
  readonly deployer: Address;
  /** Of the bots: swaps. */
  readonly trader: Address;
  /** Of the bots: adds and removes liquidity. */
  readonly provider: Address;
  /** Receives the protocol's part of fees. */
  readonly feeCollector: Address;
};

/** anvil's and hardhat's well-known phrase: wallets and tools for local chains know these accounts. */
const PHRASE = 'test test test test test test test test test test test junk';
const TEST_ACCOUNTS = 10;
const HOUSE_ACCOUNTS = 4;
const MAKER_ACCOUNTS = 2;
const ISSUER_ACCOUNTS = 1;
export const ACCOUNT_COUNT = TEST_ACCOUNTS + HOUSE_ACCOUNTS + MAKER_ACCOUNTS + ISSUER_ACCOUNTS;
/** Nodes that attest blocks: keys alone, which need no funds. */
const NODE_KEYS: readonly Hex[] = ['0xa1', '0xa2'].map((start) => `0x${start.slice(2).padEnd(64, '7')}` as Hex);

/** Whom the local chain's attested hook takes for nodes. */
export function attestingNodes(): readonly Address[] {
  return nodeAccounts().map(({ address }) => address);
}

/** They sign by themselves. */
export function nodeAccounts(): readonly DevnetAccount[] {
  return NODE_KEYS.map((privateKey) => ({ address: asAddress(privateKeyToAddress(privateKey)), privateKey }));
}

export type DerivedAccounts = {
  readonly accounts: readonly DevnetAccount[];
  readonly house: HouseAccounts;
  /** Of makers, who sign orders by themselves. */
  readonly makers: readonly DevnetAccount[];
  /** Of the issuer, who attests by itself. */
  readonly issuer: DevnetAccount;
};

export function deriveAccounts(): DerivedAccounts {
  // The seed by BIP-39, once and natively: viem derives it anew for each account, in JavaScript, which is most of half a second.
  const root = HDKey.fromMasterSeed(pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512'));
  const all = Array.from({ length: ACCOUNT_COUNT }, (_, addressIndex): DevnetAccount => {
    const account = hdKeyToAccount(root, { addressIndex });
    const { privateKey } = account.getHdKey();
    if (privateKey === null) throw new DevnetError('the phrase of the local chain gives no private key');
    return { address: asAddress(account.address), privateKey: bytesToHex(privateKey) };
  });
  const [deployer, trader, provider, feeCollector] = all.slice(TEST_ACCOUNTS).map((account) => account.address);
  if (deployer === undefined || trader === undefined || provider === undefined || feeCollector === undefined) throw new DevnetError('too few accounts');
  const [issuer, ...makers] = all.slice(TEST_ACCOUNTS + HOUSE_ACCOUNTS).reverse();
  if (issuer === undefined) throw new DevnetError('too few accounts');
  return { accounts: all.slice(0, TEST_ACCOUNTS), house: { deployer, trader, provider, feeCollector }, makers: makers.reverse(), issuer };
}
