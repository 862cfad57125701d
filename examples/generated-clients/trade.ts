// What both programs trade: on the devnet of a running service, whose address of GET /devnet is the first argument.
declare const process: { readonly argv: readonly string[] };

export type Devnet = {
  readonly chainId: number;
  readonly apiKey: string;
  readonly accounts: readonly { readonly address: string }[];
  readonly tokens: readonly { readonly symbol: string; readonly address: string }[];
};

const devnet = (await (await fetch(process.argv[2] ?? 'http://127.0.0.1:9090/devnet')).json()) as Devnet;
const token = (symbol: string): string => devnet.tokens.find((candidate) => candidate.symbol === symbol)?.address ?? '';

export const trade = { chainId: devnet.chainId, apiKey: devnet.apiKey, taker: devnet.accounts[0]?.address ?? '' };
export const [usdc, wbtc] = [token('USDC'), token('WBTC')];

export function report(facts: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(facts));
}
