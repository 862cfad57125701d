import { expect } from 'chai';
import { encodeFunctionData, erc20Abi } from 'viem';
import { encodePermit2Call, readSettlementContracts } from '../../../src/building/building.ts';
import type { Address } from '../../../src/units/units.ts';
import { type Ground, hop, ONE, takerCall, termsOf, useGround } from '../../support/settlement/ground.ts';
import { approvePermit2, signByNode, typedDataOf, withSignature } from '../../support/settlement/permit2.ts';

describe('a Router is replaced by another, beside the same allowance holder (decision 108)', function () {
  this.timeout(300_000);
  const here = useGround();

  /** The same ground as seen by a service whose configuration names the new Router: it pays its fees to another account. */
  async function replaced(ground: Ground): Promise<Ground> {
    const { allowanceHolder, wrappedNative, accounts } = ground;
    const code = readSettlementContracts().routerFor(['uniswap_v2', 'uniswap_v3', 'wrap']);
    const router = await ground.chain.deploy(accounts.deployer, code.creationCode({ allowanceHolder, wrappedNative, feeCollector: accounts.partner }));
    return { ...ground, router };
  }

  const legs = (ground: Ground) => [hop(ground, 'v3', ground.tokens.a, ground.tokens.b)];

  it('approvals of takers go on: the new one sells by them, and neither Router has an allowance of anybody', async () => {
    const old = here.current();
    const { taker, recipient } = old.accounts;
    const current = await replaced(old);
    const before = await old.balance(old.tokens.b, recipient);
    await old.chain.mustSend(taker, takerCall(current, termsOf(current, { legs: legs(current) })));
    expect((await old.balance(old.tokens.b, recipient)) > before).to.equal(true);
    for (const router of [old.router, current.router]) {
      for (const token of Object.values(old.tokens)) expect(await old.chain.read(token, erc20Abi, 'allowance', [taker, router])).to.equal(0n);
    }
  });

  it('calldata in flight goes through the old one as it was quoted, and not after its deadline', async () => {
    const old = here.current();
    const call = takerCall(old, termsOf(old, { legs: legs(old) }));
    const late = takerCall(old, termsOf(old, { deadline: 1n, legs: legs(old) }));
    const quoted = await old.chain.attempt(old.accounts.taker, call);
    await replaced(old);
    expect((await old.chain.attempt(old.accounts.taker, call)).ok)
      .to.equal(quoted.ok)
      .and.to.equal(true);
    expect(await old.chain.attempt(old.accounts.taker, late)).to.include({ ok: false, error: 'Expired' });
  });

  it('neither the old one nor the new one pulls outside of exec', async () => {
    const old = here.current();
    const current = await replaced(old);
    const { taker } = old.accounts;
    const abi = readSettlementContracts().allowanceHolder.abi;
    const pull = encodeFunctionData({ abi, functionName: 'transferFrom', args: [old.tokens.a, taker, old.accounts.stranger, ONE] });
    for (const operator of [old.router, current.router]) {
      await old.chain.rpc.request('anvil_impersonateAccount', operator);
      expect(await old.chain.attempt(operator, { to: old.allowanceHolder, data: pull })).to.include({ ok: false, error: 'GrantTooSmall' });
    }
  });

  it('a permit signed for one is refused by the other; settled by one it can not be settled again', async () => {
    const old = here.current();
    const current = await replaced(old);
    const { taker } = old.accounts;
    await approvePermit2(old, taker);
    const terms = termsOf(old, { legs: legs(old) });
    const signature = await signByNode(old, taker, typedDataOf(old, terms));
    const callOf = (router: Address) => {
      const { to, data } = encodePermit2Call(terms, { router });
      return { to, data: withSignature(data, signature) };
    };
    expect((await old.chain.attempt(taker, callOf(current.router))).ok).to.equal(false);
    const again = encodePermit2Call(terms, current);
    const callAgain = { to: again.to, data: withSignature(again.data, await signByNode(old, taker, typedDataOf(current, terms))) };
    expect((await old.chain.attempt(taker, callAgain)).ok).to.equal(true);
    await old.chain.mustSend(taker, callOf(old.router));
    // The nonce is the quote's, whichever Router.
    expect((await old.chain.attempt(taker, callAgain)).ok).to.equal(false);
  });
});
