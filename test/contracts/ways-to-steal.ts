/** Ways to steal from the contracts that reviews thought of, by where they begin, each with the titles of tests that try it. Beside them stand the lists of losses and faults (attack-names.test.ts). */
export const WAYS_TO_STEAL: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'the allowance holder': {
    'exec calls a token, Permit2, itself, a precompile, or nobody': [
      'a token, the allowance holder, Permit2, a precompile or an account without code is not a target (K1, K23, invariant 3)',
    ],
    'exec calls what answers everything, as wrapped native does': [
      'a target that does not answer as an executor reverts; a revert of the target is passed on, up to a bound',
    ],
    'a grant is used by somebody else, for another owner or token, or for more': [
      'transferFrom by a non-operator, for another owner, another token, or more than granted reverts (invariant 2)',
      'at most the grant is pulled: terms that ask for more than exec grants revert',
    ],
    'a grant outlives its call, in the same transaction or after it, or a call that failed': [
      'the grant is zero after exec, whatever was used, also for a taker with code that calls on in the same transaction (K17, invariant 1)',
      'a swap or an exec that fails within a transaction leaves no lock, expectation or grant for what comes after it there',
    ],
    'a grant is added to by a nested exec, or used twice by a token that calls back': [
      'a nested exec sets its own grant and touches no other; for the same key it replaces, never adds (invariant 5, rule 4)',
      'a token that calls back in a transfer finds the grant used up',
    ],
    'somebody who approved and sends nothing is named as the owner': [
      'exec by another operator moves nothing of a victim who approved and sends nothing (K-inv 1)',
      'who runs a payload made for somebody else pays with his own tokens',
    ],
    'an owner’s code is another’s (EIP-7702)': ['an account with delegated code (EIP-7702) is an owner like any other (invariant 1)'],
  },
  'the doors of the Router': {
    'an owner is named in a direct call': ['nobody but the allowance holder names an owner (K8, Transit Swap 2022)'],
    'the Router was approved by mistake': [
      'the router is useless as a spender: what a user approves to it nobody can take (settler allowances 2025)',
      'gives nothing of anybody’s, by any leg: no floor is met, and without one nothing moves and nothing is left approved',
    ],
    'native value that does not match, or that comes with a token': [
      'msg.value equals sellAmount for native sells, and is zero otherwise (K16)',
      'the entry of native sells takes no token, the entry of token sells no native',
    ],
    'a door is entered while a swap runs': [
      'a token with ERC-777 hooks that reenters the router and the allowance holder changes nothing (G8, K6)',
      'a recipient of native that reenters can not change recipient or floor (K6)',
      'and a token’s hook can enter none of the doors while a swap runs (K6)',
    ],
    'the lock stays closed': ['the lock opens again: two swaps in one transaction go through'],
    'special amounts skip a check': [
      'terms that sell nothing, or a token for itself, and hops that spend nothing revert: no special amount is a way around a check (Socket 2024)',
      'an amount longer than 32 bytes reverts; leading zeros of an amount change nothing',
    ],
    'calldata that is cut, goes on, or points elsewhere': [
      'a payload cut at every byte reverts: the floor and the deadline are never skipped',
      'calldata cut at every byte reverts, on both entry points',
      'bytes after the end of the payload revert; after the end of the calldata they change nothing',
      'offsets and lengths that point elsewhere revert',
      'dirty upper bits of an address revert (invariant 4)',
    ],
    'it is upgraded, ended, or runs another’s code': [
      'there is no owner, no upgrade and no pause: these functions are all that can be called (K27, OpenOcean limit orders 2025)',
      'no code of ours hands itself over, makes or ends a contract: there is no such instruction in it (K27)',
    ],
    'another Router stands in its place': [
      'neither the old one nor the new one pulls outside of exec',
      'a permit signed for one is refused by the other; settled by one it can not be settled again',
    ],
  },
  'what a hop names': {
    'a venue that holds allowances, or is none': [
      'the allowance holder, Permit2, the router, precompiles and addresses without code are never a pool (K1, K23)',
      'the allowance holder, Permit2, the router, precompiles and accounts without code are no venue of any leg (K1, K23)',
      'can not point the leg at what holds allowances, an account without code or the router itself',
    ],
    'a token is the venue': [
      'a token, or wrapped native with its fallback, taken for a pool moves nothing (LI.FI 2022, Dexible 2023, SwapNet 2026)',
      'gives nothing of anybody’s, by any leg: no floor is met, and without one nothing moves and nothing is left approved',
      'no name by which legs call venues is one that a token, Permit2 or the allowance holder moves funds by: whatever stands at a venue’s address (K1)',
    ],
    'a leg that does not exist, or a token past the table': [
      'a leg that does not exist, or a wrap of something else, reverts',
      'hops that name tokens past the table, or a share above the whole, revert',
    ],
    'a token stands in the table twice': [
      'no entry of the ledger counts twice: a token that stands in the table twice, and a venue that gives back what it was given',
    ],
    'what lies in the Router by mistake is spent': [
      'a donation to the router or the allowance holder changes nothing and stays (invariant 6)',
      'no callback takes: a pool that is owed a wei asks for a wei more, for another token, or pretends to have paid',
      'native and wrapped: no wrap, unwrap or sell of a wei reaches it',
      'no hop spends what the recipient has already, nor what was given to the router',
      'passes on what a pool pays its caller, and nothing of what lay in the Router before',
    ],
  },
  callbacks: {
    'a stranger calls back, or the right pool outside of a hop': [
      'a stranger calls every callback directly, also with short and long data: reverts (K2, ParaSwap 2024)',
      'a genuine pool that somebody else swaps with can not be pointed at the router as payer',
    ],
    'by another name, twice, nested, or for more': [
      'by the other name, once more, for more than the input, or not at all: reverts; by its name and for its amount: pays',
      'a nested callback while the first is being paid reverts (K3)',
      'what a leg learns to owe in a callback comes out of one bounded budget, in as many payments as it makes',
    ],
    'pool A while pool B is called': ['pool A calls back while pool B is expected: reverts, for genuine and for fake A (K3)'],
    'data names a payer': [
      'the payer is never read from data: a callback that names a victim takes from the taker (Sushi RouteProcessor2 2023, ParaSwap 2024, Ekubo 2026)',
    ],
    'a made-up pool takes and gives nothing': [
      'a fake pool takes at most the input of its own hop; the floor keeps the taker whole (UniswapV3 fakes)',
      'a pool that pays nothing back is caught by the floor, whatever it returns (invariant 10)',
    ],
  },
  'Uniswap V4': {
    'a made-up manager hands back other data': [
      'serves the manager that is being called, once, for at most the input, from the taker alone (K3)',
      'serves the manager that is being called, once, for at most the input, from the taker alone, whatever data it hands back (K3)',
    ],
    'a hook calls back, reenters, unlocks, or takes more': [
      'a hook that is asked before the swap can neither call back, nor reenter, nor unlock',
      'a hook that takes more than the output makes the swap revert',
      'a hostile hook in the middle can neither call back, nor reenter, nor unlock, nor take what lies between',
      'a hook in the middle that takes more than the output makes the swap revert; what it takes of the input is missing at the floor',
    ],
    'a payment to the manager is booked as somebody else’s': [
      'who is called while the manager is being paid can not have the payment booked as his own: settling, syncing or taking in between makes the swap revert',
    ],
    'the Router is unlocked by somebody else': ['is refused to strangers, to the manager outside of a hop, and to whoever unlocks it (K2)'],
  },
  'Uniswap V2 pairs in a row': {
    'a pair in the middle keeps what passes through it, or sends less, more or another token': [
      'that sends nothing, or less than it is told to, stops the swap at the next pair; where that is measured, the floor decides over what came',
      'that sends another token, or more, gains nothing by it: more is the next pair’s',
      'that lies about its books so that more follows than a pair can hold is named; one that claims all there is finds the next pair short',
    ],
    'a pair, or a token’s hook, calls on while what passes lies in the next pair': [
      'that enters the router, the allowance holder or the next pair meanwhile gets nothing: the doors are locked, and what is taken from the next pair is missing there',
      'takes what came to the next pair, or books it: that pair refuses, and nothing has moved',
      'moves the next pair’s price before that is asked for it: what comes is what the pair then gives, and the floor decides',
    ],
    'what lies in pairs or in the Router is counted for input': [
      'what somebody sent to pairs and to the router before changes no amount, measured or not, and stays where it is',
      'what lies in a pair makes up for a tax at most',
    ],
    'a place of the path that is no pair': [
      'can not point any place of it at what holds allowances, a precompile, an account without code or the router itself (K1, K23)',
      'that names a token, or wrapped native, for a pair, a token between that the pairs do not have, a pair twice, or a fee of all of it, reverts',
    ],
  },
  'custody of the input': {
    'the venue takes more than the input, or later': [
      "one that asks for more than the input gets no more, also of what was given to the router or is an earlier hop's; nor later",
      'one that takes less than the input leaves nothing behind, and one that asks for more gets no more, then or later',
      'lets a pool neither reenter nor take more than its input',
    ],
    'what is left goes to somebody else': [
      "one that takes half of it leaves nothing behind: the rest is the taker's again, the approval zero",
      "what it leaves of an intermediate token is the swap's, and the taker's at the end",
      '8. sell token that a venue does not take goes back to the taker, not to the recipient or the router (K20, complaint 23)',
    ],
    'a vault promises more than it gives, or is inflated': [
      'a vault that gives less than it previewed is held by the floor',
      'a gift to the vault between quote and execution is held by the floor',
    ],
  },
  'a signature for Permit2': {
    'is used by somebody else': [
      'owner≠msg.sender: a front-runner submits the taker’s calldata from another account (K9, K10)',
      'a contract in between is not the taker: what the taker signed can not be run for it',
      'who has approved Permit2 and signed nothing loses nothing: zeros and any signature of another are refused',
    ],
    'is used for other terms, a byte of the route, another Router or chain': [
      'the taker’s signature with other terms: amount+1, a lower floor, another recipient, fee, surplus, tag or route (K9, K10)',
      'spender≠Router, other token, other amount, other nonce, other deadline, another Permit2, signature for another chain (K9)',
      'every byte of the calldata is bound: with any one of them changed it reverts',
    ],
    'is used twice, or late': [
      'nonce reuse: once settled, or given up by the taker, the same calldata reverts (K9)',
      'expired: reverts only when timestamp > deadline, whatever was signed; a deadline beyond 88 bits is none',
    ],
    'pays a pool of the attacker’s more than once': [
      'gets what was signed for once, and not a wei more (K2, K3)',
      'leaves a rest that no further hop can take by the same signature',
    ],
    'is answered for by code with side effects': [
      'a taker with code answers for its signature by ERC-1271; what it does when it is asked changes nothing (K25, Odos limit orders 2025)',
    ],
    'stands for a payment that nobody made': ['where Permit2 has no code, a swap by it reverts instead of counting on a payment that nobody made (K23)'],
  },
  'the end of a swap': {
    'the floor is met by what is not delivered': [
      '7. the floor is measured at the recipient for a token that taxes transfers, last, at full width',
      'a recipient that is the pool, or another pool of the route, can not pass the floor with what was there or comes otherwise',
      'what a hook takes away from the recipient while the route runs is missing at the floor',
      'a pool that pays somebody else, the router, or nobody is caught by the floor',
    ],
    'fee or surplus take more than their part': [
      '7. gross, fee, split of the fee, net, surplus by the policy in calldata: every part to the wei, and they sum (K14)',
      '7. a fee above 15%, a share above the whole, and unknown policies revert (K14)',
      '8. buy: the recipient gets exactly buyAmount, the fee is that of the gross target, the rest goes to the protocol whatever the policy (K20)',
    ],
    'a receiver of fees burns the gas, stops the swap, or trades on it': [
      'a partner that burns 2 million gas, or all there is, is refused its part and costs the swap little; the collector gets it',
      'a token that bars the partner or the collector, with a revert or with false, still trades',
      "a partner that trades on the taker's gas, against the pool just used or through the router, changes nothing for anybody else",
    ],
    'the sender starves a receiver of fees': ['whoever sets the gas of the transaction can not starve a partner: it is paid wherever the swap goes through'],
    'the Router or the allowance holder is paid': [
      '11. a recipient that is nobody, the router or the allowance holder reverts',
      '7. a partner that is the router, the allowance holder or nobody reverts, unless its part is nothing; one that is the recipient gets both (K14)',
    ],
    'native refunds reach somebody else, or stay': [
      'what a native sell does not spend goes back to the taker, and a taker that refuses it reverts (K16)',
      "native that comes while a swap runs is let in, as venues may pay the router, and is nobody's if no hop brought it",
    ],
    'it is settled late': ['9. after the deadline the call reverts before it moves anything; at the deadline it does not (K13)'],
  },
  tokens: {
    'say that they moved and did not': [
      'returning false, a number that is not 1, or reverting with 100 kB is never a success (G2, K23)',
      'a token without code is neither sold nor bought (G2, K23)',
    ],
    'tax, lose a wei, or change in between': [
      'G3: taxed in the middle of a route, once on each of its moves: every hop spends what came, by the balance, and nothing stays',
      'buy: of a token that loses a wei on its way (stETH) the exact amount may not arrive: NotExact names both amounts, and nothing moves; a sell is held to what arrives',
      'a taxed input is less than the pool was asked to price: its invariant refuses, by the allowance holder, by Permit2 and from the Router, and nothing moves (G3)',
      'G7: the tax is switched on between quote and execution: the floor at the quote refuses, sold or bought',
    ],
    'trade in their hooks': [
      'read-only reentrancy: the hook of a token trades with the pool between the reading of its reserves and the swap: reverts, and nothing moves',
    ],
    'call the very pool that is being paid, or pays': [
      'synced, skimmed, traded with, filled or emptied while it is paid: the swap gives what was quoted, or reverts and nothing moves (G8)',
      'is locked while it pays: its hook can do nothing to it, and the swap gives what was quoted (G8)',
      'the next pair of the route, traded with while the first is paid: the floor refuses (G8)',
      'a pool of Uniswap V3 is locked while it is paid and while it pays: no function of it runs, and the swap gives what was quoted (G8)',
      'a swap of the hook in our unlocking: unsettled, or settled out of our payment or instead of it, it makes ours revert; settled while we take, it changes nothing of ours (G8)',
    ],
  },
  'what the service writes': {
    'calls go to contracts that a request names': ['outside of it either is refused, by quote and by swap, whatever it names'],
    'contracts of other code stand at the addresses': ['refuses an address without code, other code, and a Router that was built with something else'],
    'fees or floor other than those of the answer': [
      'is executed and delivers what was quoted, every part of fee and surplus to the wei, or is refused by the interface',
    ],
  },
};
