import type { SourcesResponse } from '../../../schemas/types.gen.ts';
import { serialise } from '../../quoting/quoting.ts';
import { type Answer, json } from '../answer.ts';
import { unknownChainText } from '../errors.ts';
import type { ExchangeFacts } from '../exchange.ts';
import type { HostedChains } from '../hosted-chains.ts';

/** The venue labels of a chain, also while it is coming up or stale (decisions B9). `segment` is the path's own text, not decoded yet. */
export function sources(chains: HostedChains, segment: string, facts: ExchangeFacts): Answer {
  const hosted = chains.byName(decoded(segment));
  if (hosted === undefined) return unknownChainText();
  facts.chainId = hosted.chain.chainId;
  const body: SourcesResponse = { chainId: hosted.chain.chainId, chain: hosted.chain.name, sources: [...hosted.view().labels] };
  return json(200, serialise(body), 'ok');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
