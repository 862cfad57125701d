import { encodeAbiParameters, type Hex, keccak256, recoverTypedDataAddress, sliceHex } from 'viem';
import { type Address, asAddress } from '../../units/units.ts';
import { onlyWord } from '../abi-words.ts';
import { failed, failedBy } from '../firm-answers.ts';
import type { FirmUpChain, FirmUpFacet, FirmUpFailure } from '../firm-up.ts';
import type { ChainCall } from '../track.ts';
import { type Attestation, attestationFacts, NODE_BYTES, wantsAttestation } from './attestations.ts';
import { attestedHooks } from './known-hooks.ts';
import { attestationsWanted, readAttestations } from './read-attestations.ts';

/** Selector of the hook's extsload(uint256). */
const EXTSLOAD = '0x7cf98081';
/** Where the hook keeps who its nodes are (AngstromView.sol). */
const NODES_SLOT = 1n;
const TYPES = { AttestAngstromBlockEmpty: [{ name: 'block_number', type: 'uint64' }] } as const;
/** Recovery ids as the contract's precompile takes them. */
const RECOVERY_IDS: ReadonlySet<string> = new Set(['1b', '1c']);

/** Has the next blocks attested for a hop by an attested hook, and believes only what the hook itself will: the signature of a node, for just that block. What the pool gives is the chain's to say, and stays as planned. */
export const firmUp: FirmUpFacet = {
  signs: 'attestation',
  needs: wantsAttestation,
  contracts: attestedHooks,
  sourceOf: ({ hook }, sources) => sources.find(({ contract }) => contract === hook),
  open(chain) {
    return async (hop, signal) => {
      const source = chain.sources.find(({ contract }) => contract === hop.hook);
      if (source === undefined) return failed('invalid');
      if (signal.aborted) return failed('unreachable');
      const answer = await chain.ask(source, attestationsWanted(), signal);
      if (!answer.ok) return failedBy(answer);
      // As it is now, and not when they were asked: blocks that came meanwhile need no attestation any more.
      const head = chain.blockNumber();
      if (head === null) return failed('unverified');
      const read = readAttestations(answer.text, head);
      if (read === null) return failed('unreachable');
      if (typeof read === 'string') return failed(read === 'refused' ? 'refused' : 'invalid');
      const fault = await faultOf(read, source.contract, chain, signal);
      if (fault !== null) return failed(fault);
      const { amountIn, amountOut } = hop;
      return { ok: true, amountIn, amountOut, legFacts: attestationFacts(read), expiry: null };
    };
  },
};

/** What is wrong with attestations; null: nothing. */
async function faultOf(attestations: readonly Attestation[], hook: Address, chain: FirmUpChain, signal: AbortSignal): Promise<FirmUpFailure | null> {
  const nodes = await Promise.all(attestations.map((attestation) => signerOf(attestation, hook, chain.chainId)));
  if (nodes.some((node) => node === null)) return 'invalid';
  const answers = await chain.read(
    [...new Set(nodes)].map((node) => nodeCall(hook, node as Address)),
    signal,
  );
  if (answers === null) return 'unverified';
  return answers.every((answer) => (onlyWord(answer) ?? 0n) === 1n) ? null : 'invalid';
}

/** The node that an attestation names, where the signature is its own; else null. */
async function signerOf({ blockNumber, unlockData }: Attestation, hook: Address, chainId: number): Promise<Address | null> {
  const node = asAddress(sliceHex(unlockData, 0, NODE_BYTES));
  const signature = sliceHex(unlockData, NODE_BYTES);
  if (!RECOVERY_IDS.has(signature.slice(-2))) return null;
  try {
    const signer = await recoverTypedDataAddress({
      domain: { name: 'Angstrom', version: 'v1', chainId, verifyingContract: hook },
      types: TYPES,
      primaryType: 'AttestAngstromBlockEmpty',
      message: { block_number: BigInt(blockNumber) },
      signature,
    });
    return asAddress(signer) === node ? node : null;
  } catch {
    return null;
  }
}

function nodeCall(to: Address, node: Address): ChainCall {
  const place: Hex = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [node, NODES_SLOT]));
  return { to, data: `${EXTSLOAD}${place.slice(2)}`, answerBytes: 32 };
}
