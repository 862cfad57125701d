// A button that sells a token for another through Braid, behind the proxy of proxy.ts. Put it below wagmi's WagmiProvider and a QueryClientProvider.
import { useMutation } from '@tanstack/react-query';
import { type Address, erc20Abi, type Hex } from 'viem';
import { useConnection, usePublicClient, useWalletClient } from 'wagmi';

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

type Trade = { readonly sellToken: Address; readonly buyToken: Address; readonly sellAmount: bigint };
type Answer = {
  readonly buyAmount: string;
  readonly allowanceTarget: Address | null;
  readonly transaction: { readonly to: Address; readonly data: Hex; readonly value: string };
  readonly warnings?: readonly { readonly code: string; readonly detail: string }[];
};

async function ask(query: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(`/api/braid/swap?${new URLSearchParams(query)}`);
  const body = (await response.json()) as Answer & { readonly error?: string };
  if (!response.ok) throw new Error(body.error ?? `status ${response.status}`);
  return body;
}

export function SwapButton({ sellToken, buyToken, sellAmount }: Trade) {
  const { address: taker, chainId } = useConnection();
  const chain = usePublicClient();
  const { data: wallet } = useWalletClient();

  const swap = useMutation({
    mutationFn: async () => {
      if (taker === undefined || chainId === undefined || chain === undefined || wallet === undefined) throw new Error('connect a wallet first');
      const query = { chainId: String(chainId), mode: 'sell', sellToken, buyToken, sellAmount: String(sellAmount), taker };
      let answer = await ask(query);
      const spender = answer.allowanceTarget;
      if (sellToken.toLowerCase() !== NATIVE && spender !== null) {
        const token = { address: sellToken, abi: erc20Abi } as const;
        if ((await chain.readContract({ ...token, functionName: 'allowance', args: [taker, spender] })) < sellAmount) {
          const hash = await wallet.writeContract({ ...token, functionName: 'approve', args: [spender, sellAmount] });
          await chain.waitForTransactionReceipt({ hash });
          // The price is of before the approval: ask again.
          answer = await ask(query);
        }
      }
      const { to, data, value } = answer.transaction;
      const call = { account: taker, to, data, value: BigInt(value) };
      // The last check: a price that moved past the floor fails here, and costs nothing. A fifth more gas is sent along; what is not used is not paid.
      const gas = ((await chain.estimateGas(call)) * 6n) / 5n;
      const hash = await wallet.sendTransaction({ ...call, gas });
      const { status } = await chain.waitForTransactionReceipt({ hash });
      if (status !== 'success') throw new Error(`the transaction ${hash} was reverted`);
      return { ...answer, hash };
    },
  });

  return (
    <>
      <button type="button" disabled={swap.isPending || taker === undefined} onClick={() => swap.mutate()}>
        {swap.isPending ? 'Swapping …' : 'Swap'}
      </button>
      {swap.data?.warnings?.map(({ code, detail }) => (
        <p key={code}>{detail}</p>
      ))}
      <output>{swap.error?.message ?? (swap.data && `Swapped for ${swap.data.buyAmount} base units: ${swap.data.hash}`)}</output>
    </>
  );
}
