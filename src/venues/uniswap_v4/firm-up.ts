import { encodeAbiParameters, type Hex, keccak256, recoverTypedDataAddress, sliceHex } from 'viem';
import { LIMITS } from '../../config/limits.ts';
import { type Address, asAddress } from '../../units/units.ts';
import { onlyWord } from '../abi-words.ts';
import { failed, failedBy } from '../firm-answers.ts';
import type { FirmHop, FirmUpChain, FirmUpFacet, FirmUpFailure } from '../firm-up.ts';
import type { OutsideSource } from '../outside.ts';
import type { ChainCall } from '../track.ts';
import { type Attestation, attestationFacts, NODE_BYTES, wantsAttestation } from './attestations.ts';
import { KeptAttestations } from './kept-attestations.ts';
import { attestedHooks } from './known-hooks.ts';
import { attestationsWanted, readAttestations } from './read-attestations.ts';

/** Selector of the hook's extsload(uint256). */
const EXTSLOAD = '0x7cf98081';
/** Where the hook keeps who its nodes are (AngstromView.sol). */
const NODES_SLOT = 1n;
const TYPES = { AttestAngstromBlockEmpty: [{ name: 'block_number', type: 'uint64' }] } as const;
/** Recovery ids as the contract's precompile takes them. */
const RECOVERY_IDS: ReadonlySet<string> = new Set(['1b', '1c']);

/**
 * Has the next blocks attested for a hop by an attested hook, and believes only what the hook itself will: the signature of a node, for just that block. What the pool gives is the chain's to say, and stays as planned. In front of them goes the
 * attestation of the newest block, as far as one was given while that block was to come: whoever tries the transaction before sending it does so there.
 */
export const firmUp: FirmUpFacet = {
  signs: 'attestation',
  needs: wantsAttestation,
  contracts: attestedHooks,
  sourceOf: ({ hook }, sources) => sources.find(({ contract }) => contract === hook),
  open(chain) {
    const { blocks, polled } = LIMITS.outbound.attestations;
    const kept = new Map<Address, KeptAttestations>();
    const keptOf = (hook: Address): KeptAttestations => {
      const its = kept.get(hook) ?? new KeptAttestations();
      kept.set(hook, its);
      return its;
    };
    chain.inEachBlock?.(async (source, signal) => {
      const asked = await attestationsFrom(chain, source, polled, signal);
      if (!asked.ok) return asked;
      keptOf(source.contract).keep(asked.attestations, asked.head);
      return null;
    });
    return async (hop, signal) => {
      const source = chain.sources.find(({ contract }) => contract === hop.hook);
      if (source === undefined) return failed('invalid');
      if (signal.aborted) return failed('unreachable');
      const asked = await attestationsFrom(chain, source, blocks, signal);
      if (!asked.ok) return asked;
      const { attestations, head } = asked;
      const ofHead = attestations[0]?.blockNumber === head + 1 ? keptOf(source.contract).of(head) : undefined;
      const checked = await checkAll(attestations, ofHead, source.contract, chain, signal);
      if (!checked.ok) return failed(checked.reason);
      keptOf(source.contract).keep(attestations, head);
      const { amountIn, amountOut } = hop;
      return { ok: true, amountIn, amountOut, legFacts: attestationFacts(checked.attestations.slice(0, blocks)), expiry: null };
    };
  },
};

type FromAttester = { readonly ok: true; readonly attestations: readonly Attestation[]; readonly head: number } | Extract<FirmHop, { readonly ok: false }>;

/** What an attester gives of the newest block and of those to come, unchecked. */
async function attestationsFrom(chain: FirmUpChain, source: OutsideSource, blocks: number, signal: AbortSignal): Promise<FromAttester> {
  const answer = await chain.ask(source, attestationsWanted(blocks), signal);
  if (!answer.ok) return failedBy(answer);
  // As it is now, and not when they were asked: blocks that came meanwhile need no attestation any more.
  const head = chain.blockNumber();
  if (head === null) return failed('unverified');
  const read = readAttestations(answer.text, head, blocks);
  if (read === null) return failed('unreachable');
  if (typeof read === 'string') return failed(read === 'refused' ? 'refused' : 'invalid');
  return { ok: true, attestations: read, head };
}

type Checked = { readonly ok: true; readonly attestations: readonly Attestation[] } | { readonly ok: false; readonly reason: FirmUpFailure };

/** Attestations of which each has to hold, behind one that is left out where it does not. */
async function checkAll(
  attestations: readonly Attestation[],
  ofHead: Attestation | undefined,
  hook: Address,
  chain: FirmUpChain,
  signal: AbortSignal,
): Promise<Checked> {
  const [nodeOfHead, ...nodes] = await Promise.all([ofHead ?? null, ...attestations].map((each) => each && signerOf(each, hook, chain.chainId)));
  if (nodes.includes(null)) return { ok: false, reason: 'invalid' };
  const named = [...new Set([nodeOfHead, ...nodes])].flatMap((node) => node ?? []);
  const answers = await chain.read(
    named.map((node) => nodeCall(hook, node)),
    signal,
  );
  if (answers === null) return { ok: false, reason: 'unverified' };
  const strangers = new Set<unknown>(named.filter((_, at) => onlyWord(answers[at]) !== 1n));
  if (nodes.some((node) => strangers.has(node))) return { ok: false, reason: 'invalid' };
  const isOfHeadToo = ofHead !== undefined && nodeOfHead !== null && !strangers.has(nodeOfHead);
  return { ok: true, attestations: isOfHeadToo ? [ofHead, ...attestations] : attestations };
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
