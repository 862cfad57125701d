import type { Address } from '../units/units.ts';
import type { DevnetAccount } from './accounts.ts';
import type { Devnet, DevnetToken } from './running-devnet.ts';

/** Body of the internal `GET /devnet`: all that a tool or a newcomer needs to use the local chain. */
export type DevnetDescription = {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly wrappedNative: Address;
  readonly router: Address;
  readonly allowanceHolder: Address;
  readonly permit2: Address;
  readonly apiKey: string;
  /** Of a key that may trade real-world assets. */
  readonly approvedApiKey: string;
  readonly freshnessBoundMs: number;
  readonly accounts: readonly DevnetAccount[];
  readonly tokens: readonly Pick<DevnetToken, 'address' | 'symbol' | 'decimals' | 'kind' | 'oddTransfers'>[];
  /** Makers that answer: where, and whose orders they sign. Their ports also take faults (POST /faults). */
  readonly makers: readonly { readonly name: string; readonly origin: string; readonly contract: Address; readonly signer: Address }[];
  /** Who attests blocks to a hook; its port also takes faults. */
  readonly attesters: readonly { readonly name: string; readonly origin: string; readonly hook: Address }[];
  /** The issuer of real-world assets, likewise. `dollar`: in which its assets are paid for. */
  readonly issuers: readonly {
    readonly name: string;
    readonly origin: string;
    readonly contract: Address;
    readonly signer: Address;
    readonly dollar: Address;
    readonly assets: readonly { readonly symbol: string; readonly token: Address }[];
  }[];
};

/** What the service adds that the chain itself does not know. */
export type ServiceFacts = { readonly apiKey: string; readonly approvedApiKey: string; readonly freshnessBoundMs: number };

export function describeDevnet(devnet: Devnet, { apiKey, approvedApiKey, freshnessBoundMs }: ServiceFacts): DevnetDescription {
  const { rpcUrl, chainId, wrappedNative, router, allowanceHolder, permit2, accounts } = devnet;
  return {
    rpcUrl,
    chainId,
    wrappedNative,
    router,
    allowanceHolder,
    permit2,
    apiKey,
    approvedApiKey,
    freshnessBoundMs,
    accounts,
    tokens: devnet.tokens.map(({ address, symbol, decimals, kind, oddTransfers }) => ({ address, symbol, decimals, kind, oddTransfers })),
    makers: devnet.makers.map(({ name, origin, contract, signer }) => ({ name, origin, contract, signer })),
    attesters: devnet.attesters.map(({ name, origin, contract: hook }) => ({ name, origin, hook })),
    issuers: devnet.issuers.map(({ name, origin, contract, signer, issues: { dollar, assets } }) => ({
      ...{ name, origin, contract, signer, dollar },
      assets: assets.map(({ symbol, token }) => ({ symbol, token })),
    })),
  };
}
