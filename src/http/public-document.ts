import type { HostedChain } from '../chains/chains.ts';
import { type Address, NATIVE_TOKEN } from '../units/units.ts';

/** What the published document says of the service that serves it. */
export type DocumentFacts = {
  /** Where the public listener is reached. */
  readonly serverUrl: string;
  /** The chain of the example requests. */
  readonly hosted: Pick<HostedChain, 'chain' | 'wrappedNative'>;
  /** What they buy for native tokens. Absent: the wrapped form, which needs no pool. */
  readonly dollarToken: Address | undefined;
};

type Parameter = { readonly name: string; readonly example?: unknown };
type Document = { readonly paths: Readonly<Record<string, { readonly get: { readonly parameters?: readonly Parameter[] } }>> };

/** schemas/openapi.json for one running service: its own address, and examples that it can answer. Throws on what is no such document. */
export function publicDocument(text: string, { serverUrl, hosted, dollarToken }: DocumentFacts): string {
  const document = JSON.parse(text) as Document;
  const { chain, wrappedNative } = hosted;
  const examples: Readonly<Record<string, unknown>> = {
    chain: chain.name,
    chainId: chain.chainId,
    sellToken: NATIVE_TOKEN,
    buyToken: dollarToken ?? wrappedNative,
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, { get }]) => {
      const parameters = get.parameters?.map((parameter) =>
        parameter.example === undefined ? parameter : { ...parameter, example: examples[parameter.name] ?? parameter.example },
      );
      return [path, { get: { ...get, ...(parameters === undefined ? {} : { parameters }) } }];
    }),
  );
  return JSON.stringify({ ...document, servers: [{ url: serverUrl }], paths });
}
