// Sends a swap to the local chain, from its first account, which the chain signs for, and looks at what arrived.

const NATIVE = `0x${'e'.repeat(40)}`;
const SELECTORS = { balanceOf: '0x70a08231', allowance: '0xdd62ed3e', approve: '0x095ea7b3' };
const POLL_MS = 250;
const MINED_WITHIN_MS = 30_000;
/** Hundredths: a pool's first swap in a block writes more than the second one. */
const GAS_MARGIN = 130n;

/** `{ arrived, floor, quoted, gasUsed, gasQuoted, block, hash }`, amounts in base units. Throws an Error whose message is for people. */
export async function executeSwap({ publicUrl, apiKey, rpcUrl, account, parameters }) {
  const query = new URLSearchParams(parameters);
  query.set('taker', account);
  const response = await fetch(`${publicUrl}/v1/swap?${query}`, { headers: { 'x-api-key': apiKey } });
  const swap = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${swap.error}`);
  const chain = (method, ...params) => call(rpcUrl, method, params);
  const balance = async () => {
    if (swap.buyToken.toLowerCase() === NATIVE) return BigInt(await chain('eth_getBalance', account, 'latest'));
    return BigInt(await chain('eth_call', { to: swap.buyToken, data: SELECTORS.balanceOf + word(account) }, 'latest'));
  };
  const send = async (transaction) => mined(chain, await chain('eth_sendTransaction', { from: account, ...transaction }));
  if (swap.allowanceTarget !== null) await allow(chain, send, swap, account);
  const { to, data, value } = swap.transaction;
  const transaction = { to, data, value: hex(value) };
  const gas = BigInt(await chain('eth_estimateGas', { from: account, ...transaction }));
  const before = await balance();
  const receipt = await send({ ...transaction, gas: hex((gas * GAS_MARGIN) / 100n) });
  if (receipt.status !== '0x1') throw new Error('the swap was mined and reverted: a price moved past its floor');
  const paid = swap.buyToken.toLowerCase() === NATIVE ? BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice) : 0n;
  return {
    arrived: (await balance()) - before + paid,
    quoted: BigInt(swap.buyAmount),
    floor: BigInt(swap.minBuyAmount),
    gasUsed: Number(receipt.gasUsed),
    gasQuoted: swap.gas,
    block: Number(receipt.blockNumber),
    hash: receipt.transactionHash,
  };
}

/** As much as the swap takes; tokens that take a new allowance only where there is none get none first. */
async function allow(chain, send, { sellToken, sellAmount, allowanceTarget }, account) {
  const allowed = BigInt(await chain('eth_call', { to: sellToken, data: SELECTORS.allowance + word(account) + word(allowanceTarget) }, 'latest'));
  if (allowed >= BigInt(sellAmount)) return;
  const approve = (amount) => send({ to: sellToken, data: SELECTORS.approve + word(allowanceTarget) + amount });
  if (allowed > 0n) await approve('0'.repeat(64));
  await approve(BigInt(sellAmount).toString(16).padStart(64, '0'));
}

async function mined(chain, hash) {
  for (const until = performance.now() + MINED_WITHIN_MS; performance.now() < until; ) {
    const receipt = await chain('eth_getTransactionReceipt', hash);
    if (receipt !== null) return receipt;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the chain mined no block with the transaction');
}

async function call(rpcUrl, method, params) {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`the chain refuses ${method}: ${error.message}`);
  return result;
}

const word = (address) => address.slice(2).toLowerCase().padStart(64, '0');
const hex = (amount) => `0x${BigInt(amount).toString(16)}`;
