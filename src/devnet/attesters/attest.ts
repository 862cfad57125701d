import { concatHex, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address } from '../../units/units.ts';
import type { DevnetAccount } from '../accounts.ts';
import type { AttestationFault } from './faults.ts';

type Signing = { readonly nodes: readonly DevnetAccount[]; readonly chainId: number; readonly hook: Address };
type Attested = { readonly blockNumber: number; readonly unlockData: Hex };

const STRANGER: Hex = `0x${'5a'.repeat(32)}`;
const LATER = 5;
const PAST = 8;

/** What an attester says of so many blocks from `first` on, by Angstrom's protocol: written from its description, and not from how the service reads it. */
export async function attest(signing: Signing, first: number, blocks: number, fault: AttestationFault | null): Promise<object> {
  if (fault === 'unsuccessful') return { success: false, attestations: [] };
  if (fault === 'absent') return { success: true, attestations: [] };
  const count = fault === 'too-few' ? 1 : fault === 'too-many' ? blocks + 1 : blocks;
  const from = first + shiftOf(fault, count);
  const attestations = await Promise.all(Array.from({ length: count }, (_, at) => one(signing, from + at, fault)));
  const [head, ...others] = attestations as [Attested, ...Attested[]];
  switch (fault) {
    case 'gap':
      return { success: true, attestations: [head, ...others.slice(1)] };
    case 'block-before':
      return { success: true, attestations: [await one(signing, first - 2, null), ...others] };
    case 'altered':
      return { success: true, attestations: [{ ...head, unlockData: altered(head.unlockData) }, ...others] };
    case 'short':
      return { success: true, attestations: [{ ...head, unlockData: head.unlockData.slice(0, -2) }, ...others] };
    case 'other-shape':
      return { success: true, attestations: attestations.map(({ blockNumber, unlockData }) => ({ block: String(blockNumber), data: unlockData })) };
    default:
      return { success: true, attestations };
  }
}

/** How many blocks later than the next one the first attested block is. */
function shiftOf(fault: AttestationFault | null, count: number): number {
  switch (fault) {
    case 'blocks-later':
      return LATER;
    case 'blocks-past':
      return -PAST;
    case 'blocks-until-now':
      return -count;
    default:
      return 0;
  }
}

async function one({ nodes, chainId, hook }: Signing, blockNumber: number, fault: AttestationFault | null): Promise<Attested> {
  const node = nodes[blockNumber % nodes.length] as DevnetAccount;
  const key = fault === 'wrong-signer' || fault === 'no-node' ? STRANGER : node.privateKey;
  const signature = await privateKeyToAccount(key).signTypedData({
    domain: {
      name: 'Angstrom',
      version: 'v1',
      chainId: fault === 'wrong-chain' ? chainId + 1 : chainId,
      verifyingContract: fault === 'wrong-domain' ? node.address : hook,
    },
    types: { AttestAngstromBlockEmpty: [{ name: 'block_number', type: 'uint64' }] },
    primaryType: 'AttestAngstromBlockEmpty',
    message: { block_number: BigInt(fault === 'other-block' ? blockNumber + 1 : blockNumber) },
  });
  // Somebody who signs as itself, and whom the hook does not know.
  const named = fault === 'no-node' ? privateKeyToAccount(STRANGER).address : node.address;
  return { blockNumber, unlockData: concatHex([named, signature]) };
}

/** Another signature, of the same length. */
function altered(unlockData: Hex): Hex {
  const middle = 80;
  return `${unlockData.slice(0, middle)}${unlockData[middle] === '0' ? '1' : '0'}${unlockData.slice(middle + 1)}` as Hex;
}
