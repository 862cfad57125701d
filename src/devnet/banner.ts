import { getAddress } from 'viem';
import { type Address, NATIVE_TOKEN } from '../units/units.ts';
import { DevnetError } from './devnet-error.ts';
import type { Devnet, DevnetToken } from './running-devnet.ts';

export type BannerFacts = {
  /** Base of the public routes, for example http://127.0.0.1:8080. */
  readonly publicUrl: string;
  readonly internalUrl: string;
  readonly apiKey: string;
  /** Of a key that may trade real-world assets. */
  readonly approvedApiKey: string;
};

/** The closing lines of the start: addresses, a funded account, and requests that work when pasted into a shell. */
export function renderBanner(devnet: Devnet, { publicUrl, internalUrl, apiKey, approvedApiKey }: BannerFacts): string {
  const of = (symbol: string): Address => addressOf(devnet, symbol);
  const account = devnet.accounts[0];
  const quote = (parameters: string, key = apiKey): string => `curl -s -H 'x-api-key: ${key}' '${publicUrl}/v1/quote?chainId=${devnet.chainId}&${parameters}'`;
  const native = getAddress(NATIVE_TOKEN);
  return [
    '',
    `The service answers at ${publicUrl} (internal: ${internalUrl}).`,
    `Routes as a picture: ${internalUrl}/route`,
    `The chain ${devnet.chainId} answers at ${devnet.rpcUrl}: ${devnet.tokens.length} tokens, ${devnet.pools.length} pools, Permit2 at ${getAddress(devnet.permit2)}.`,
    '',
    'Tokens',
    ...devnet.tokens.map((token) => `  ${token.symbol.padEnd(8)} ${getAddress(token.address)}  ${describeToken(token)}`),
    '',
    'A funded account (a key that everybody knows: for this chain only)',
    `  address ${getAddress(account?.address ?? NATIVE_TOKEN)}`,
    `  key     ${account?.privateKey ?? ''}`,
    '',
    `API key ${apiKey}`,
    `API key with the approval for real-world assets ${approvedApiKey}`,
    '',
    '# sell 1 native token for USDC',
    quote(`mode=sell&sellToken=${native}&buyToken=${getAddress(of('USDC'))}&sellAmount=${10n ** 18n}`),
    '# sell 50,000 USDC for WBTC',
    quote(`mode=sell&sellToken=${getAddress(of('USDC'))}&buyToken=${getAddress(of('WBTC'))}&sellAmount=${50_000n * 10n ** 6n}`),
    '# buy exactly 1,000 DAI with USDT',
    quote(`mode=buy&sellToken=${getAddress(of('USDT'))}&buyToken=${getAddress(of('DAI'))}&buyAmount=${1_000n * 10n ** 18n}`),
    ...issuedQuotes(devnet, (parameters) => quote(parameters, approvedApiKey)),
    '# the venues, the health, and all of the above as JSON',
    `curl -s '${publicUrl}/v1/devnet/sources'`,
    `curl -s '${publicUrl}/healthz'`,
    `curl -s '${internalUrl}/devnet'`,
    '# stop the trading bots, so that the same request gives the same answer',
    `curl -s -X POST -H 'content-type: application/json' -d '{"on":false}' '${internalUrl}/devnet/bots'`,
    '',
  ].join('\n');
}

/** One for each asset that can be minted: nothing where nobody issues any. */
function issuedQuotes({ issuers }: Devnet, quote: (parameters: string) => string): readonly string[] {
  return issuers.flatMap(({ issues: { dollar, assets } }) =>
    assets.slice(0, 1).flatMap(({ symbol, token }) => {
      const parameters = `mode=sell&sellToken=${getAddress(dollar)}&buyToken=${getAddress(token)}&sellAmount=${1_000n * 10n ** 18n}`;
      return [`# mint ${symbol}, a real-world asset, for 1,000 of its issuer's dollar token: with the key that has the approval`, quote(parameters)];
    }),
  );
}

function describeToken({ decimals, kind, oddTransfers }: DevnetToken): string {
  const scale = decimals === null ? 'no decimals()' : `${decimals} decimals`;
  if (oddTransfers !== null) return `${scale}, ${oddTransfers}`;
  return kind === 'standard' || kind === 'no-decimals' ? scale : `${scale}, ${kind}`;
}

function addressOf(devnet: Devnet, symbol: string): Address {
  const token = devnet.tokens.find((candidate) => candidate.symbol === symbol);
  if (token === undefined) throw new DevnetError(`the local chain has no token ${symbol}`);
  return token.address;
}
