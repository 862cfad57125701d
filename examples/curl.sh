#!/usr/bin/env bash
# From nothing to an executed swap with curl, against a running `npm start`: 1 ETH for USDC on the devnet, whose node signs for its accounts.
# On a real network a wallet signs the transaction; nothing else differs.
set -euo pipefail
braid=${BRAID_URL:-http://127.0.0.1:8080}
pick() { node -p "const it = JSON.parse(process.argv[1]); it$1" "$2"; }
devnet=$(curl -sf "${BRAID_INTERNAL_URL:-http://127.0.0.1:9090}/devnet")
key=$(pick .apiKey "$devnet")
taker=$(pick '.accounts[0].address' "$devnet")
node=$(pick .rpcUrl "$devnet")
usdc=$(pick ".tokens.find((token) => token.symbol === 'USDC').address" "$devnet")
trade="chainId=31337&mode=sell&sellToken=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&buyToken=$usdc&sellAmount=1000000000000000000"

quote=$(curl -s --fail-with-body -H "x-api-key: $key" "$braid/v1/quote?$trade")
echo "quote: $(pick .buyAmount "$quote") over $(pick '.route.length' "$quote") hops"

swap=$(curl -s --fail-with-body -H "x-api-key: $key" "$braid/v1/swap?$trade&taker=$taker")
transaction=$(node -p "
  const { from, to, data, value } = JSON.parse(process.argv[1]).transaction;
  JSON.stringify({ from, to, data, value: '0x' + BigInt(value).toString(16) })" "$swap")
rpc() { curl -s --fail-with-body -H 'content-type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":[$2]}" "$node"; }

# The last check: where the price has moved past the floor, this is what fails, and costs nothing. A fifth more than the estimate is sent along.
gas=$(pick .result "$(rpc eth_estimateGas "$transaction")")
sent=$(node -p "JSON.stringify({ ...JSON.parse(process.argv[1]), gas: '0x' + ((BigInt(process.argv[2]) * 6n) / 5n).toString(16) })" "$transaction" "$gas")
hash=$(pick .result "$(rpc eth_sendTransaction "$sent")")
receipt=null
while [ "$receipt" = null ]; do
  sleep 0.2
  receipt=$(node -p 'JSON.stringify(JSON.parse(process.argv[1]).result)' "$(rpc eth_getTransactionReceipt "\"$hash\"")")
done
echo "swap: $(pick .sellAmount "$swap") -> at least $(pick .minBuyAmount "$swap"), status $(pick .status "$receipt")"
