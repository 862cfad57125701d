import path from 'node:path';
import type { TokenList } from '../../schemas/types.gen.ts';
import { type Address, asAddress } from '../units/units.ts';
import { ConfigRefused } from './environment.ts';
import { LIMITS } from './limits.ts';
import type { ReferenceSources } from './references.ts';
import { parseDocument } from './schema-document.ts';

/** The tokens of one chain out of a token list. `at` is the field that names it. Throws ConfigRefused. */
export function readTokenList(
  name: string,
  at: string,
  chainId: number,
  { readFile, folder }: Pick<ReferenceSources, 'readFile' | 'folder'>,
): readonly Address[] {
  const file = path.resolve(folder, name);
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    throw new ConfigRefused(`${at}: ${file} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = parseDocument<TokenList>('token-list', text);
  if (!parsed.ok) throw new ConfigRefused(`${at}: ${file}: ${parsed.message}`);
  const tokens = [...new Set(parsed.document.tokens.filter((token) => token.chainId === chainId).map(({ address }) => asAddress(address)))];
  const most = LIMITS.indexing.listedTokens;
  if (tokens.length > most) throw new ConfigRefused(`${at}: ${file} has ${tokens.length} tokens of chain ${chainId}; at most ${most} are taken`);
  return tokens;
}
