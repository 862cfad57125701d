import { encodeFunctionData, type Hex, numberToHex, toFunctionSelector } from 'viem';
import type { Address } from '../../../src/units/units.ts';
import { contractOf, type Ground } from './ground.ts';
import type { Call, Receipt } from './test-chain.ts';

export type PuppetStep = Call & { /** Whether a revert of the step reverts the puppet. Default: it is only noted. */ readonly bubbles?: boolean };

/** What a puppet does when it is called by a name. */
export type PuppetPart = { readonly steps?: readonly PuppetStep[]; readonly answer?: Hex; readonly refuses?: boolean };

/** A contract that plays any part (contracts/devnet/adversaries/Puppet.sol). */
export type Puppet = {
  readonly address: Address;
  /** `signature`: of the function, or 'native' for a payment without data. */
  teach(signature: string, part: PuppetPart): Promise<void>;
  /** The call by which it is taught that, as a step that it takes itself. */
  teachCall(signature: string, part: PuppetPart): Call;
  /** What it does when it is called by that name while it plays a part already. Default: nothing. */
  teachNested(signature: string, steps: readonly PuppetStep[]): Promise<void>;
  /** Makes the calls in one transaction. */
  play(steps: readonly PuppetStep[], value?: bigint): Promise<Receipt>;
  playCall(steps: readonly PuppetStep[], value?: bigint): Call;
  /** Of every call that it made: 'ok', or the name of the error that it met. */
  outcomes(): Promise<readonly string[]>;
  /** What each of them returned. */
  answers(): Promise<readonly Hex[]>;
};

/** `at`: where it is put; at an address of its own where that is absent. */
export async function createPuppet(ground: Ground, at?: Address): Promise<Puppet> {
  const { chain, accounts } = ground;
  const contract = contractOf(ground.contracts, 'Puppet');
  if (at !== undefined) await chain.rpc.request('anvil_setCode', at, contract.deployedBytecode);
  const address = at ?? (await chain.create(accounts.stranger, contract));
  const wire = (steps: readonly PuppetStep[]) => steps.map(({ to, data = '0x', value = 0n, bubbles = false }) => ({ target: to, value, data, bubbles }));
  const playCall = (steps: readonly PuppetStep[], value = 0n): Call => ({
    to: address,
    data: encodeFunctionData({ abi: contract.abi, functionName: 'play', args: [wire(steps)] }),
    value,
  });
  const teachCall: Puppet['teachCall'] = (signature, { steps = [], answer = '0x', refuses = false }) => ({
    to: address,
    data: encodeFunctionData({ abi: contract.abi, functionName: 'teach', args: [selectorOf(signature), wire(steps), answer, refuses] }),
  });
  const seen = async () => (await chain.read(address, contract.abi, 'outcomes')) as readonly { readonly ok: boolean; readonly result: Hex }[];
  return {
    address,
    async teach(signature, part) {
      await chain.mustSend(accounts.stranger, teachCall(signature, part));
    },
    teachCall,
    async teachNested(signature, steps) {
      const complement = numberToHex(0xffffffffn - BigInt(selectorOf(signature)), { size: 4 });
      await chain.write(accounts.stranger, address, contract.abi, 'teach', [complement, wire(steps), '0x', false]);
    },
    playCall,
    play: (steps, value) => chain.mustSend(accounts.stranger, playCall(steps, value)),
    outcomes: async () => (await seen()).map(({ ok, result }) => (ok ? 'ok' : chain.nameOf(result))),
    answers: async () => (await seen()).map(({ result }) => result),
  };
}

function selectorOf(signature: string): Hex {
  return signature === 'native' ? '0x00000000' : toFunctionSelector(signature);
}
