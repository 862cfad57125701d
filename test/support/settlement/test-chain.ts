import { type Abi, decodeErrorResult, decodeFunctionResult, encodeDeployData, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { createNodeRpc, type NodeRpc } from '../../../src/devnet/node-rpc.ts';
import { type Address, asAddress, NATIVE_TOKEN, ZERO_ADDRESS } from '../../../src/units/units.ts';

export type Call = {
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  /** Gas limit; the most that a block takes where it is absent. */
  readonly gas?: number;
};

export type Log = { readonly address: Address; readonly topics: [Hex, ...Hex[]]; readonly data: Hex };
export type Receipt = {
  readonly hash: Hex;
  readonly ok: boolean;
  readonly gasUsed: number /** Wei that the sender paid for gas. */;
  readonly cost: bigint;
  readonly logs: readonly Log[];
};

/** How a call ended: `error` is the name of the custom error, 'Error' with a text, or the raw data where nothing here knows it. */
export type Ending = { readonly ok: true; readonly data: Hex } | { readonly ok: false; readonly error: string; readonly args: readonly unknown[] };

/** A chain under test, with accounts that need no keys. */
export type TestChain = {
  readonly url: string;
  readonly rpc: NodeRpc;
  send(from: Address, call: Call): Promise<Receipt>;
  /** As send, and throws with the reason where the transaction reverts. */
  mustSend(from: Address, call: Call): Promise<Receipt>;
  /** What a transaction would do, without doing it. */
  attempt(from: Address, call: Call): Promise<Ending>;
  deploy(from: Address, code: Hex): Promise<Address>;
  create(from: Address, contract: { readonly abi: Abi; readonly bytecode: Hex }, args?: readonly unknown[]): Promise<Address>;
  read(address: Address, abi: Abi, functionName: string, args?: readonly unknown[]): Promise<unknown>;
  write(from: Address, address: Address, abi: Abi, functionName: string, args: readonly unknown[], value?: bigint): Promise<Receipt>;
  /** Balances, in the order asked, in one request. The native sentinel stands for the native token. */
  balances(places: readonly { readonly account: Address; readonly token: Address }[]): Promise<readonly bigint[]>;
  /** Errors of these contracts get names. */
  know(abi: Abi): void;
  /** Name of an error, or the raw data where nobody knows it. */
  nameOf(data: Hex): string;
  /** Sets the chain back to what `evm_snapshot` remembered. */
  takeBack(snapshot: unknown): Promise<void>;
  /** Runs and takes everything back. */
  apart<T>(run: () => Promise<T>): Promise<T>;
};

type WireReceipt = {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly Log[];
};

const GAS = 29_000_000;
/** Blocks come with the transactions, a moment after they were taken. */
const POLL_MS = 2;
const MOST_POLLS = 40_000;

/** `gasPrice`: wei per gas, of every transaction. */
export function connectTestChain(url: string, gasPrice = 0n): TestChain {
  const rpc = createNodeRpc(url);
  const known: Abi[] = [parseAbi(['error Error(string)', 'error Panic(uint256)'])];

  const toWire = (from: Address, { to, data = '0x', value = 0n, gas = GAS }: Call) => ({ from, to, data, value: hex(value), gas: hex(gas) });

  const named = (data: Hex): { readonly error: string; readonly args: readonly unknown[] } => {
    try {
      const { errorName, args } = decodeErrorResult({ abi: known.flat(), data });
      return { error: errorName, args: args ?? [] };
    } catch {
      return { error: data, args: [] };
    }
  };

  const attempt = async (from: Address, call: Call): Promise<Ending> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [toWire(from, call), 'latest'] }),
    });
    const { result, error } = (await response.json()) as { readonly result?: Hex; readonly error?: { readonly message: string; readonly data?: Hex } };
    return result === undefined ? { ok: false, ...named(error?.data ?? '0x') } : { ok: true, data: result };
  };

  const mined = async (hash: Hex): Promise<WireReceipt> => {
    for (let poll = 0; poll < MOST_POLLS; poll++) {
      const receipt = (await rpc.request('eth_getTransactionReceipt', hash)) as WireReceipt | null;
      if (receipt !== null) return receipt;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    throw new Error('the transaction is not mined');
  };

  const receiptOf = async (hash: Hex): Promise<Receipt> => {
    const { status, gasUsed, effectiveGasPrice, logs } = await mined(hash);
    return {
      hash,
      ok: status === '0x1',
      gasUsed: Number(gasUsed),
      cost: BigInt(gasUsed) * BigInt(effectiveGasPrice),
      logs: logs.map((log) => ({ ...log, address: asAddress(log.address) })),
    };
  };

  const send = async (from: Address, call: Call): Promise<Receipt> =>
    receiptOf((await rpc.request('eth_sendTransaction', { ...toWire(from, call), gasPrice: hex(gasPrice) })) as Hex);

  const mustSend = async (from: Address, call: Call): Promise<Receipt> => {
    const ending = await attempt(from, call);
    if (!ending.ok) throw new Error(`reverts with ${ending.error}(${ending.args.map(String).join(', ')})`);
    const receipt = await send(from, call);
    if (!receipt.ok) throw new Error('the transaction failed');
    return receipt;
  };

  const deploy = async (from: Address, code: Hex): Promise<Address> => {
    const hash = (await rpc.request('eth_sendTransaction', { from, data: code, gas: hex(GAS), gasPrice: hex(gasPrice) })) as Hex;
    const { status, contractAddress } = await mined(hash);
    if (status !== '0x1' || contractAddress === null) throw new Error('a contract was not deployed');
    return asAddress(contractAddress);
  };

  // A mined transaction leaves the node's pool a moment later; one that a revert finds there would be mined again.
  const takeBack = async (snapshot: unknown): Promise<void> => {
    for (let poll = 0; poll < MOST_POLLS; poll++) {
      const { pending } = (await rpc.request('txpool_status')) as { readonly pending: Hex };
      if (Number(pending) === 0) break;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    await rpc.request('evm_revert', snapshot);
  };

  return {
    url,
    rpc,
    send,
    mustSend,
    attempt,
    deploy,
    create: (from, { abi, bytecode }, args = []) => deploy(from, encodeDeployData({ abi, bytecode, args: [...args] })),
    async read(address, abi, functionName, args = []) {
      // Not as the contract itself: Balancer's vault answers its own questions otherwise than those of others.
      const ending = await attempt(ZERO_ADDRESS, { to: address, data: encodeFunctionData({ abi, functionName, args: [...args] }) });
      if (!ending.ok) throw new Error(`${functionName} reverts with ${ending.error}`);
      return decodeFunctionResult({ abi, functionName, data: ending.data });
    },
    write: (from, address, abi, functionName, args, value = 0n) =>
      mustSend(from, { to: address, data: encodeFunctionData({ abi, functionName, args: [...args] }), value }),
    async balances(places) {
      const answers = await rpc.batch(
        places.map(({ account, token }) => {
          if (token === NATIVE_TOKEN) return { method: 'eth_getBalance', params: [account, 'latest'] };
          const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] });
          return { method: 'eth_call', params: [{ to: token, data }, 'latest'] };
        }),
      );
      return answers.map((answer) => {
        if (!answer.ok) throw new Error(`a balance can not be read: ${answer.message}`);
        return BigInt(answer.result as string);
      });
    },
    know: (abi) => void known.push(abi),
    nameOf: (data) => named(data).error,
    async apart(run) {
      const snapshot = await rpc.request('evm_snapshot');
      try {
        return await run();
      } finally {
        await takeBack(snapshot);
      }
    },
    takeBack,
  };
}

function hex(value: bigint | number): Hex {
  return `0x${value.toString(16)}`;
}
