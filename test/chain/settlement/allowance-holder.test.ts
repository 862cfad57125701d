import { expect } from 'chai';
import { concatHex, encodeFunctionData, erc20Abi, type Hex, padHex, toFunctionSelector } from 'viem';
import { encodePayload, readSettlementContracts } from '../../../src/building/building.ts';
import { type Address, asAddress } from '../../../src/units/units.ts';
import { type Ground, hop, MAX, ONE, takerCall, termsOf, useGround } from '../../support/settlement/ground.ts';
import { createPuppet, type Puppet, type PuppetStep } from '../../support/settlement/puppet.ts';
import { changes, execData, executeFromData, expectError, pullData, setToken } from '../../support/settlement/swaps.ts';

const EXECUTE = 'executeFrom(address,bytes)';
/** What an executor answers: its own selector. */
const MAGIC: Hex = padHex(toFunctionSelector(EXECUTE), { size: 32, dir: 'right' });

describe('the allowance holder', function () {
  this.timeout(300_000);
  const here = useGround();

  async function executor(ground: Ground, steps: readonly PuppetStep[], answer: Hex = MAGIC): Promise<Puppet> {
    const puppet = await createPuppet(ground);
    await puppet.teach(EXECUTE, { steps, answer });
    return puppet;
  }

  const pull = (ground: Ground, token: Address, owner: Address, to: Address, amount: bigint): PuppetStep => ({
    to: ground.allowanceHolder,
    data: pullData(token, owner, to, amount),
  });

  it('calls the target with the selector that it fixes, the caller and the payload, and nothing else', async () => {
    const ground = here.current();
    const { taker, stranger } = ground.accounts;
    const seen = await createPuppet(ground);
    const target = await executor(ground, [{ to: seen.address, data: '0x', bubbles: true }]);
    const call = { to: ground.allowanceHolder, data: execData(target.address, ground.tokens.a, ONE, '0xc0ffee') };
    await ground.chain.mustSend(taker, call);
    const trace = (await ground.chain.rpc.request('debug_traceCall', { from: taker, to: call.to, data: call.data }, 'latest', { tracer: 'callTracer' })) as {
      readonly calls: readonly { readonly to: string; readonly input: string; readonly type: string }[];
    };
    expect(trace.calls.map(({ to, input, type }) => [type, to, input])).to.deep.equal([['CALL', target.address, executeFromData(taker, '0xc0ffee')]]);
    expect(stranger).to.not.equal(taker);
  });

  it('a token, the allowance holder, Permit2, a precompile or an account without code is not a target (K1, K23, invariant 3)', async () => {
    const ground = here.current();
    const { a, b, n, weth } = ground.tokens;
    const { taker, stranger } = ground.accounts;
    const transferFrom = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [ground.accounts.victim, stranger, ONE] });
    const attempt = (target: Address, token: Address) =>
      ground.chain.attempt(taker, { to: ground.allowanceHolder, data: execData(target, token, ONE, transferFrom) });
    for (const target of [
      ground.allowanceHolder,
      ground.permit2,
      stranger,
      asAddress(`0x${'0'.repeat(40)}`),
      asAddress(`0x${'0'.repeat(39)}1`),
      asAddress(`0x${'0'.repeat(36)}ffff`),
    ]) {
      expectError(await attempt(target, a), 'NotATarget');
    }
    for (const token of [a, n, weth]) expectError(await attempt(token, token), 'NotATarget');
    // Another token than the one that is granted: it does not know the selector, or answers nothing.
    expectError(await attempt(a, b), '0x');
    expectError(await attempt(n, b), '0x');
    expectError(await attempt(weth, b), 'NotAnExecutor');
  });

  it('a target that does not answer as an executor reverts; a revert of the target is passed on, up to a bound', async () => {
    const ground = here.current();
    const { taker } = ground.accounts;
    for (const answer of ['0x', padHex('0x01', { size: 32 }), MAGIC.slice(0, 64) as Hex] as const) {
      const target = await executor(ground, [], answer);
      expectError(
        await ground.chain.attempt(taker, { to: ground.allowanceHolder, data: execData(target.address, ground.tokens.a, ONE, '0x') }),
        'NotAnExecutor',
      );
    }
    const terms = termsOf(ground, { legs: [], minBuyAmount: termsOf(ground, { legs: [] }).sellAmount });
    expectError(await ground.chain.attempt(taker, takerCall(ground, terms)), 'BelowMinimum');
    // A revert of 100 kB comes back as its start.
    await setToken(ground, ground.tokens.a, 5, 0, ground.permit2);
    const bomb = await executor(ground, [
      { to: ground.tokens.a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [taker, 0n] }), bubbles: true },
    ]);
    const ending = await ground.chain.attempt(taker, { to: ground.allowanceHolder, data: execData(bomb.address, ground.tokens.b, ONE, '0x') });
    expect(ending.ok ? 0 : (ending.error.length - 2) / 2).to.equal(1_024);
  });

  it('transferFrom by a non-operator, for another owner, another token, or more than granted reverts (invariant 2)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { taker, victim, stranger } = ground.accounts;
    const target = await executor(ground, [
      pull(ground, a, victim, stranger, 1n),
      pull(ground, b, taker, stranger, 1n),
      pull(ground, a, taker, stranger, ONE + 1n),
      pull(ground, a, taker, stranger, MAX),
      pull(ground, a, taker, stranger, ONE / 4n),
      pull(ground, a, taker, stranger, (3n * ONE) / 4n + 1n),
      pull(ground, a, taker, stranger, (3n * ONE) / 4n),
      pull(ground, a, taker, stranger, 1n),
      pull(ground, a, taker, stranger, 0n),
    ]);
    const moved = await changes(ground, { taker, victim, stranger }, () =>
      ground.chain.mustSend(taker, { to: ground.allowanceHolder, data: execData(target.address, a, ONE, '0x') }),
    );
    expect(moved).to.deep.equal({ 'taker.a': -ONE, 'stranger.a': ONE });
    const no = 'GrantTooSmall';
    expect(await target.outcomes()).to.deep.equal([no, no, no, no, 'ok', no, 'ok', no, 'ok']);
    for (const caller of [stranger, victim, ground.router, ground.accounts.taker]) {
      expectError(await ground.chain.attempt(caller, { to: ground.allowanceHolder, data: pullData(a, victim, stranger, 1n) }), no);
    }
  });

  it('the grant is zero after exec, whatever was used, also for a taker with code that calls on in the same transaction (K17, invariant 1)', async () => {
    const ground = here.current();
    const { a } = ground.tokens;
    const { stranger } = ground.accounts;
    const wallet = await createPuppet(ground);
    const target = await executor(ground, [pull(ground, a, wallet.address, stranger, 1n)]);
    await target.teach('later()', { steps: [pull(ground, a, wallet.address, stranger, 1n)] });
    await ground.chain.write(stranger, a, ground.contracts.TrickToken?.abi ?? [], 'mint', [[wallet.address], ONE]);
    const approve = { to: a, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.allowanceHolder, MAX] }) };
    const exec = { to: ground.allowanceHolder, data: execData(target.address, a, ONE, '0x'), bubbles: true };
    const later = { to: target.address, data: toFunctionSelector('later()') };
    await wallet.play([approve, exec, later, exec, later]);
    expect(await target.outcomes()).to.deep.equal(['ok', 'GrantTooSmall', 'ok', 'GrantTooSmall']);
    expect(await ground.balance(a, stranger)).to.equal(2n);
  });

  it('an account with delegated code (EIP-7702) is an owner like any other (invariant 1)', async () => {
    const ground = here.current();
    const { a } = ground.tokens;
    const { taker, stranger } = ground.accounts;
    const wallet = await createPuppet(ground);
    await ground.chain.rpc.request('anvil_setCode', taker, concatHex(['0xef0100', wallet.address]));
    // The account runs the puppet's code on storage of its own.
    expect(await ground.chain.read(taker, ground.contracts.Puppet?.abi ?? [], 'outcomes')).to.deep.equal([]);
    const target = await executor(ground, [pull(ground, a, taker, stranger, 1n)]);
    await target.teach('later()', { steps: [pull(ground, a, taker, stranger, 1n)] });
    const moved = await changes(ground, { taker, stranger }, () =>
      ground.chain.mustSend(taker, { to: ground.allowanceHolder, data: execData(target.address, a, ONE, '0x') }),
    );
    expect(moved).to.deep.equal({ 'taker.a': -1n, 'stranger.a': 1n });
    await ground.chain.mustSend(stranger, { to: target.address, data: toFunctionSelector('later()') });
    expect(await target.outcomes()).to.deep.equal(['ok', 'GrantTooSmall']);
  });

  it('a nested exec sets its own grant and touches no other; for the same key it replaces, never adds (invariant 5, rule 4)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { stranger } = ground.accounts;
    const wallet = await createPuppet(ground);
    const inner = await executor(ground, [pull(ground, a, wallet.address, stranger, 5n)]);
    const mint = (token: Address) => ground.chain.write(stranger, token, ground.contracts.TrickToken?.abi ?? [], 'mint', [[wallet.address], ONE]);
    for (const token of [a, b]) await mint(token);
    const approvals = [a, b].map((token) => ({
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ground.allowanceHolder, MAX] }),
    }));
    // Another key within: the outer grant of 10 is whole afterwards.
    await wallet.teach('nest()', { steps: [{ to: ground.allowanceHolder, data: execData(inner.address, a, 5n, '0x'), bubbles: true }] });
    const outer = await executor(ground, [
      { to: wallet.address, data: toFunctionSelector('nest()'), bubbles: true },
      pull(ground, a, wallet.address, stranger, 11n),
      pull(ground, a, wallet.address, stranger, 10n),
      // The inner exec was for another target: what it was granted is none of this one's.
      pull(ground, a, wallet.address, stranger, 1n),
    ]);
    await wallet.play([...approvals, { to: ground.allowanceHolder, data: execData(outer.address, a, 10n, '0x'), bubbles: true }]);
    expect(await outer.outcomes()).to.deep.equal(['ok', 'GrantTooSmall', 'ok', 'GrantTooSmall']);
    expect(await inner.outcomes()).to.deep.equal(['ok']);
    // The same key within: 3 granted inside of 10, neither 13 nor 10 there, and nothing when the inner exec has returned.
    const same = await executor(ground, []);
    await wallet.teach('again()', { steps: [{ to: ground.allowanceHolder, data: execData(same.address, a, 3n, '0x'), bubbles: true }] });
    await same.teach(EXECUTE, {
      steps: [{ to: wallet.address, data: toFunctionSelector('again()'), bubbles: true }, pull(ground, a, wallet.address, stranger, 1n)],
      answer: MAGIC,
    });
    await same.teachNested(EXECUTE, [pull(ground, a, wallet.address, stranger, 4n), pull(ground, a, wallet.address, stranger, 2n)]);
    await wallet.play([{ to: ground.allowanceHolder, data: execData(same.address, a, 10n, '0x'), bubbles: true }]);
    expect(await same.outcomes()).to.deep.equal(['GrantTooSmall', 'ok', 'ok', 'GrantTooSmall']);
  });

  it('a token that calls back in a transfer finds the grant used up', async () => {
    const ground = here.current();
    const { a } = ground.tokens;
    const { taker, stranger } = ground.accounts;
    const hook = await createPuppet(ground);
    const target = await executor(ground, [pull(ground, a, taker, stranger, ONE)]);
    await target.teach('more()', { steps: [pull(ground, a, taker, stranger, 1n)] });
    await hook.teach('onTransfer(address,address,uint256)', {
      steps: [pull(ground, a, taker, stranger, 1n), { to: ground.allowanceHolder, data: execData(target.address, a, ONE, '0x') }],
    });
    await setToken(ground, a, 0, 0, hook.address);
    const moved = await changes(ground, { taker }, () =>
      ground.chain.mustSend(taker, { to: ground.allowanceHolder, data: execData(target.address, a, ONE, '0x') }),
    );
    expect(moved).to.deep.equal({ 'taker.a': -ONE });
    // Before and after the move. The exec is the hook's own: a grant of its tokens, not of the taker's.
    expect((await hook.outcomes()).filter((_, i) => i % 2 === 0)).to.deep.equal(['GrantTooSmall', 'GrantTooSmall']);
  });

  it('exec by another operator moves nothing of a victim who approved and sends nothing (K-inv 1)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { victim, stranger } = ground.accounts;
    const thief = await executor(ground, [pull(ground, a, victim, stranger, 1n), pull(ground, a, stranger, victim, 0n)]);
    const payload = encodePayload(termsOf(ground, { taker: victim, recipient: stranger, legs: [hop(ground, 'v2', a, b)] }));
    const forged = concatHex([payload, victim]);
    const moved = await changes(ground, { victim, stranger }, async () => {
      await ground.chain.mustSend(stranger, { to: ground.allowanceHolder, data: execData(thief.address, a, MAX, '0x') });
      for (const data of [payload, forged]) {
        const ending = await ground.chain.attempt(stranger, { to: ground.allowanceHolder, data: concatHex([execData(ground.router, a, MAX, data), victim]) });
        // The pair reads who pays from nowhere but the allowance holder, and the stranger has no token.
        expect(ending.ok ? 'went through' : ending.error).to.be.oneOf(['TransferFailed', 'PayloadMalformed']);
      }
    });
    expect(moved).to.deep.equal({});
    expect(await thief.outcomes()).to.deep.equal(['GrantTooSmall', 'ok']);
  });

  it('the router is useless as a spender: what a user approves to it nobody can take (settler allowances 2025)', async () => {
    const ground = here.current();
    const { a, b } = ground.tokens;
    const { victim, stranger } = ground.accounts;
    await ground.chain.write(victim, a, erc20Abi, 'approve', [ground.router, MAX]);
    const payload = encodePayload(termsOf(ground, { taker: victim, recipient: stranger, legs: [hop(ground, 'v2', a, b)] }));
    const moved = await changes(ground, { victim }, async () => {
      for (const data of [
        executeFromData(victim, payload),
        pullData(a, victim, stranger, 1n),
        encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [victim, stranger, 1n] }),
      ]) {
        const ending = await ground.chain.attempt(stranger, { to: ground.router, data });
        expect(ending.ok ? 'went through' : ending.error).to.be.oneOf(['OnlyAllowanceHolder', 'UnexpectedCallback']);
      }
    });
    expect(moved).to.deep.equal({});
  });

  it('there is no owner, no upgrade and no pause: these functions are all that can be called (K27, OpenOcean limit orders 2025)', () => {
    const { routers, allowanceHolder } = readSettlementContracts();
    for (const router of routers) {
      const functions = [...router.abi, ...allowanceHolder.abi].flatMap((entry) => (entry.type === 'function' ? [entry.name] : []));
      expect(functions.sort()).to.deep.equal([
        'allowanceHolder',
        'exec',
        'executeFrom',
        'feeCollector',
        'swap',
        'swapPermit2',
        'transferFrom',
        'wrappedNative',
      ]);
    }
  });
});
