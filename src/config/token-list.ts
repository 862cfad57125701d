import type { TokenList } from '../../schemas/types.gen.ts';
import { type Address, asAddress } from '../units/units.ts';
import { ConfigRefused } from './environment.ts';
import { LIMITS } from './limits.ts';
import { parseDocument } from './schema-document.ts';

/** The tokens of one chain out of a token list. Throws ConfigRefused, which names the field. */
export function readTokenList(field: string, file: string, chainId: number, readFile: (path: string) => string): readonly Address[] {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    throw new ConfigRefused(`${field}: ${file} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = parseDocument<TokenList>('token-list', text);
  if (!parsed.ok) throw new ConfigRefused(`${field}: ${file}: ${parsed.message}`);
  const tokens = [...new Set(parsed.document.tokens.filter((token) => token.chainId === chainId).map(({ address }) => asAddress(address)))];
  const most = LIMITS.indexing.listedTokens;
  if (tokens.length > most) throw new ConfigRefused(`${field}: ${file} has ${tokens.length} tokens of chain ${chainId}; at most ${most} are taken`);
  return tokens;
}
