import { type Hex, numberToHex, type PublicClient } from 'viem';

/** Creation code that answers 42, by way of transient storage and without. Written without PUSH0, which is younger than the chains that this is to tell apart. */
const BY_TRANSIENT_STORAGE: Hex = '0x602a60005d60005c60005260206000f3';
const PLAINLY: Hex = '0x602a60005260206000f3';
const ANSWER = numberToHex(42, { size: 32 });

/** Whether a chain has transient storage (EIP-1153), without which the settlement contracts revert, though their code is right; 'unknown' where its node does not run code. */
export async function hasTransientStorage(client: PublicClient): Promise<'yes' | 'no' | 'unknown'> {
  const runs = async (data: Hex): Promise<boolean> => {
    const answer = await client.request({ method: 'eth_call', params: [{ data }, 'latest'] }).catch(() => null);
    return answer === ANSWER;
  };
  if (await runs(BY_TRANSIENT_STORAGE)) return 'yes';
  return (await runs(PLAINLY)) ? 'no' : 'unknown';
}
