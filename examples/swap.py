"""From nothing to an executed swap with Python's standard library, against a running `npm start`: 1 ETH for USDC on the devnet.

The devnet's node signs for its accounts. On a real network a wallet or a library signs the transaction; nothing else differs.
"""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

BRAID = os.environ.get("BRAID_URL", "http://127.0.0.1:8080")
INTERNAL = os.environ.get("BRAID_INTERNAL_URL", "http://127.0.0.1:9090")
NATIVE = "0x" + "e" * 40


class Refused(Exception):
    """A refusal of the service: branch on status and code, never on the text."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body.get('error')}")
        self.status, self.code, self.retry_after = status, body.get("code"), body.get("retryAfterSeconds")


def get(url, headers=None):
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)  # Python's integers have every digit: nothing is rounded.
    except urllib.error.HTTPError as refusal:
        text = refusal.read().decode()
        try:
            body = json.loads(text)
        except ValueError:
            body = {"error": text}
        raise Refused(refusal.code, body) from None


def ask(route, attempts=5, **parameters):
    """One of the trade routes. Waits as it is told where the service is busy or the budget is used up."""
    url = f"{BRAID}/v1/{route}?{urllib.parse.urlencode(parameters)}"
    try:
        return get(url, {"x-api-key": devnet["apiKey"]})
    except Refused as refusal:
        if refusal.retry_after is None or attempts == 1:
            raise
        time.sleep(refusal.retry_after)
        return ask(route, attempts - 1, **parameters)


def rpc(method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(devnet["rpcUrl"], body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.load(response)
    if "error" in answer:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


def balance():
    call = {"to": usdc, "data": "0x70a08231" + taker[2:].rjust(64, "0")}
    return int(rpc("eth_call", call, "latest"), 16)


devnet = get(f"{INTERNAL}/devnet")
taker = devnet["accounts"][0]["address"]
usdc = next(token["address"] for token in devnet["tokens"] if token["symbol"] == "USDC")
trade = {"chainId": devnet["chainId"], "mode": "sell", "sellToken": NATIVE, "buyToken": usdc, "sellAmount": 10**18}

quote = ask("quote", **trade)
print(f"quote: {quote['buyAmount']} over {len(quote['route'])} hops")

before = balance()
swap = ask("swap", taker=taker, **trade)
transaction = {**swap["transaction"], "value": hex(int(swap["transaction"]["value"]))}
# The last check: where the price has moved past the floor, this is what fails, and costs nothing. A fifth more is sent along.
transaction["gas"] = hex(int(rpc("eth_estimateGas", transaction), 16) * 6 // 5)
transaction_hash = rpc("eth_sendTransaction", transaction)
while (receipt := rpc("eth_getTransactionReceipt", transaction_hash)) is None:
    time.sleep(0.2)
gained = balance() - before
print(f"swap: {swap['sellAmount']} -> {gained}, at least {swap['minBuyAmount']}, status {int(receipt['status'], 16)}")
