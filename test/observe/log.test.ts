import { expect } from 'chai';
import { createObserver } from '../../src/observe/observe.ts';
import { captured, FACTS, quietMetrics } from './observing.ts';

const KEY = `braid_live_AbCdEfGh_${'s'.repeat(32)}_123456`;

describe('the log', () => {
  it('one line of JSON per request with the named fields', () => {
    const { lines, log } = captured();
    createObserver(log, quietMetrics()).requestAnswered(FACTS);
    expect(lines).to.have.length(1);
    const line = JSON.parse(lines[0] ?? '');
    expect(line).to.include({ reqId: 'r-1', quoteId: 'q', route: 'quote', status: 200, chainId: 1, queueMs: 0.123, solveMs: 3, buildMs: 0.2, block: 7 });
    expect(line).to.include({ outcome: 'ok', ms: 4.2, level: 'info' });
    expect(Date.parse(line.time)).to.be.closeTo(Date.now(), 5000);
  });

  it('a request names its chain and its key, and at debug what it was refused for', () => {
    const { lines, log } = captured('debug');
    const refusal = `{"error":"taker is '0x${'Ab'.repeat(19)}'"}`;
    createObserver(log, quietMetrics()).requestAnswered({ ...FACTS, status: 400, outcome: 'invalid-request', refusal });
    expect(JSON.parse(lines[0] ?? ''))
      .to.include({ chain: 'ethereum', keyId: 'AbCdEfGh', status: 400 })
      .and.not.have.property('refusal');
    expect(JSON.parse(lines[1] ?? '')).to.include({ level: 'debug', reqId: 'r-1', refusal: `{"error":"taker is '0x…'"}` });
  });

  it('/healthz is not logged', () => {
    const { lines, log } = captured();
    createObserver(log, quietMetrics()).requestAnswered({ ...FACTS, route: 'healthz' });
    expect(lines).to.deep.equal([]);
  });

  it('an API key is in no line, whichever field carries it', () => {
    const { lines, log } = captured();
    log.error({ apiKey: KEY, nested: { privateKey: '0xdeadbeef' }, headers: { 'x-api-key': KEY }, detail: `failed with ${KEY}, twice ${KEY}` }, `key ${KEY}`);
    const [line = ''] = lines;
    expect(line).not.to.include('AbCdEfGh').and.not.include('ssss').and.not.include('deadbeef');
    expect(JSON.parse(line).detail).to.equal('failed with [redacted], twice [redacted]');
  });

  it('what node URLs carry beside the host is in no line', () => {
    const { lines, log } = captured();
    log.warn({ detail: 'URL: https://user:pass@rpc.example:8545/v2/canary?key=canary#x failed; wss://host/canary' }, 'indexer');
    expect(JSON.parse(lines[0] ?? '').detail).to.equal('URL: https://rpc.example:8545/[redacted] failed; wss://host/[redacted]');
  });

  it('control characters are escaped: a line stays one line, and no terminal obeys it', () => {
    const { lines, log } = captured();
    const nasty = 'a\r\n{"level":"fatal"}\u001b[2J\u0000\u007f\u009b31m\u2028\u202e\u2066z';
    log.info({ detail: nasty }, 'indexer');
    const [line = ''] = lines;
    const codes = [...line.trimEnd()].map((character) => character.codePointAt(0) ?? 0);
    expect(codes.filter((code) => code < 0x20 || (code >= 0x7f && code <= 0x9f) || [0x2028, 0x202e, 0x2066].includes(code))).to.deep.equal([]);
    expect(JSON.parse(line).detail).to.equal(nasty);
  });
});
