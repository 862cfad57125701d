import { expect } from 'chai';
import { LIMITS } from '../../src/config/limits.ts';
import { decodeHeader } from '../../src/indexing/header.ts';
import { decodeBlockLogs, decodeRangeLogs } from '../../src/indexing/logs.ts';
import { decodeBigQuantity, decodeHex, decodeQuantity } from '../../src/indexing/rpc/decode.ts';
import { RpcError } from '../../src/indexing/rpc/rpc-error.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;
const HEADER = {
  number: '0x10',
  hash: HASH,
  parentHash: `0x${'cd'.repeat(32)}`,
  timestamp: '0x65',
  logsBloom: `0x${'00'.repeat(256)}`,
  baseFeePerGas: '0x3b9aca00',
};
const LOG = { address: `0x${'11'.repeat(20)}`, topics: [HASH], data: '0x', blockHash: HASH, blockNumber: '0x10', logIndex: '0x0', removed: false };
const CHECK = { bloom: () => true };

describe('answers of a node', () => {
  it('are read as headers', () => {
    expect(decodeHeader(HEADER)).to.deep.include({ number: 16, hash: HASH, timestamp: 101, baseFeePerGas: 10n ** 9n });
    expect(decodeHeader({ ...HEADER, baseFeePerGas: undefined }).baseFeePerGas).to.equal(null);
  });

  const BAD_HEADERS: readonly unknown[] = [
    null,
    undefined,
    [],
    'x',
    {},
    { ...HEADER, number: 16 },
    { ...HEADER, number: null },
    { ...HEADER, number: '0x' },
    { ...HEADER, number: '0x01' },
    { ...HEADER, number: '0xfffffffffffffff' },
    { ...HEADER, hash: '0xab' },
    { ...HEADER, hash: null },
    { ...HEADER, parentHash: `0x${'zz'.repeat(32)}` },
    { ...HEADER, logsBloom: '0x00' },
    { ...HEADER, baseFeePerGas: 'x' },
    { ...HEADER, timestamp: '-0x1' },
  ];
  for (const [at, value] of BAD_HEADERS.entries()) {
    it(`are refused as headers: ${at}`, () => expect(() => decodeHeader(value)).to.throw(/garbage/));
  }

  it('are read as hex data, or refused, up to the longest answer that is taken: a node can send no text on which reading it breaks', () => {
    const longest = `0x${'aB'.repeat(LIMITS.indexing.rpc.bodyBytes / 2)}`;
    expect(decodeHex(longest) === longest.toLowerCase()).to.equal(true);
    for (const odd of [`${longest}a`, `${longest}zz`, `${longest}\n`]) expect(() => decodeHex(odd)).to.throw(RpcError, 'garbage');
  });

  it('are read as logs, sorted, each once', () => {
    const logs = [{ ...LOG, logIndex: '0x1' }, LOG, { ...LOG, logIndex: '0x1' }];
    expect(decodeBlockLogs(logs, decodeHeader(HEADER), CHECK).map(({ logIndex }) => logIndex)).to.deep.equal([0, 1]);
    expect(decodeRangeLogs([{ ...LOG, blockNumber: '0x11' }, LOG], 16, 17).map(({ blockNumber }) => blockNumber)).to.deep.equal([16, 17]);
  });

  const BAD_LOGS: readonly (readonly [string, unknown])[] = [
    ['no list', null],
    ['a hole in the numbering', [LOG, { ...LOG, logIndex: '0x2' }]],
    ['a missing first log', [{ ...LOG, logIndex: '0x1' }]],
    ['two logs under one index', [LOG, { ...LOG, data: '0x01' }]],
    ['another block', [{ ...LOG, blockHash: `0x${'ef'.repeat(32)}` }]],
    ['another number', [{ ...LOG, blockNumber: '0x11' }]],
    ['a removed log', [{ ...LOG, removed: true }]],
    ['five topics', [{ ...LOG, topics: [HASH, HASH, HASH, HASH, HASH] }]],
    ['odd data', [{ ...LOG, data: '0x123' }]],
    ['no address', [{ ...LOG, address: null }]],
  ];
  for (const [what, value] of BAD_LOGS) {
    it(`are refused as logs: ${what}`, () => expect(() => decodeBlockLogs(value, decodeHeader(HEADER), CHECK)).to.throw(/garbage/));
  }

  it('are refused when a range answers with a log outside of it', () => {
    expect(() => decodeRangeLogs([LOG], 17, 20)).to.throw(/garbage/);
  });

  it('are refused when the bloom names a log that is not there', () => {
    expect(() => decodeBlockLogs([], decodeHeader(HEADER), { bloom: () => false })).to.throw(/bloom/);
  });

  it('are quantities without leading zeros, and hex of whole bytes', () => {
    expect(decodeQuantity('0x0')).to.equal(0);
    expect(decodeBigQuantity(`0x${'f'.repeat(64)}`)).to.equal(2n ** 256n - 1n);
    for (const bad of ['0x00', '0x', '', '12', 12, null, `0x1${'0'.repeat(64)}`]) expect(() => decodeBigQuantity(bad)).to.throw(/garbage/);
    expect(decodeHex('0xAB')).to.equal('0xab');
    for (const bad of ['0xa', 'ab', null, '0xgg']) expect(() => decodeHex(bad)).to.throw(/garbage/);
  });
});
