import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parsePoolSet, readJsonFile, readPoolSet } from '../../src/pool-set/pool-set.ts';
import { fixture } from './shared-data.ts';

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const minimal = { chainId: 1, tokens: { [WETH]: { decimals: 18 } }, pools: [] };

describe('reading a pool set', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-pool-set-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const written = (name: string, content: string | Buffer): string => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  it('reads plain and gzipped JSON alike, whatever the file is called', async () => {
    const plain = await readPoolSet(written('plain.json', JSON.stringify(minimal)));
    const zipped = await readPoolSet(written('zipped.json.gz', gzipSync(JSON.stringify(minimal))));
    const misnamed = await readPoolSet(written('zipped.json', gzipSync(JSON.stringify(minimal))));
    expect(plain.ok).to.equal(true);
    expect(zipped).to.deep.equal(plain);
    expect(misnamed).to.deep.equal(plain);
  });

  it('reads the block, the frozen gas price and the tokens, and ignores unknown members', async () => {
    const read = await readPoolSet(fixture('small-pool-set.json'));
    if (!read.ok) throw new Error(read.message);
    const { set } = read;
    expect(set.block).to.deep.equal({ number: 100, hash: `0x${'a1'.repeat(32)}`, timestamp: 1700000000, baseFeePerGas: 12_000_000_000n });
    expect([...set.tokens.keys()].every((address) => address === address.toLowerCase())).to.equal(true);
    expect(set.tokens.size).to.equal(7);
    expect(set.entries).to.have.length(33);
  });

  it('takes block 0, a zero hash and no gas price where the file says nothing', () => {
    const parsed = parsePoolSet(minimal);
    if (!parsed.ok) throw new Error(parsed.message);
    expect(parsed.set.block).to.deep.equal({ number: 0, hash: `0x${'00'.repeat(32)}`, timestamp: 0, baseFeePerGas: null });
    expect(parsed.set.wrappedNative).to.equal(null);
  });

  it('takes nativeToken as an alias of wrappedNative, which wins', () => {
    const alias = parsePoolSet({ ...minimal, nativeToken: WETH });
    const both = parsePoolSet({ ...minimal, nativeToken: WETH, wrappedNative: USDC });
    expect(alias.ok && alias.set.wrappedNative).to.equal(WETH.toLowerCase());
    expect(both.ok && both.set.wrappedNative).to.equal(USDC.toLowerCase());
  });

  const refused: [string, unknown, string][] = [
    ['not an object', [], '$ must be object'],
    ['null', null, '$ must be object'],
    ['no chainId', { tokens: {}, pools: [] }, "$ must have required property 'chainId'"],
    ['chainId as text', { ...minimal, chainId: '1' }, '$.chainId must be integer'],
    ['chainId 0', { ...minimal, chainId: 0 }, '$.chainId must be >= 1'],
    ['no pools', { chainId: 1, tokens: {} }, "$ must have required property 'pools'"],
    ['pools as an object', { ...minimal, pools: {} }, '$.pools must be array'],
    ['a token that is no address', { ...minimal, tokens: { weth: { decimals: 18 } } }, '$.tokens.weth must match pattern'],
    ['a token without decimals', { ...minimal, tokens: { [WETH]: {} } }, `$.tokens["${WETH}"] must have required property 'decimals'`],
    ['decimals out of range', { ...minimal, tokens: { [WETH]: { decimals: 256 } } }, `$.tokens["${WETH}"].decimals must be <= 255`],
    ['a price of zero', { ...minimal, tokens: { [WETH]: { decimals: 18, usd: 0 } } }, `$.tokens["${WETH}"].usd must be > 0`],
    [
      'a price that is no number',
      JSON.parse(`{"chainId":1,"pools":[],"tokens":{"${WETH}":{"decimals":18,"usd":1e999}}}`),
      `$.tokens["${WETH}"].usd must be number`,
    ],
    ['a gas price in hex', { ...minimal, gasPriceWei: '0x10' }, '$.gasPriceWei must match pattern'],
    ['a gas price as a number', { ...minimal, gasPriceWei: 1e9 }, '$.gasPriceWei must be string'],
    ['a short block hash', { ...minimal, blockHash: '0x12' }, '$.blockHash must match pattern'],
    ['the native sentinel as wrappedNative', { ...minimal, wrappedNative: `0x${'e'.repeat(40)}` }, '$.wrappedNative must be the wrapped'],
    ['the zero address as nativeToken', { ...minimal, nativeToken: `0x${'0'.repeat(40)}` }, '$.nativeToken must be the wrapped'],
    ['a member that would reach a prototype', JSON.parse('{"chainId":1,"pools":[],"tokens":{"__proto__":{"decimals":18}}}'), '$.tokens.__proto__ must match'],
  ];
  for (const [what, document, message] of refused) {
    it(`refuses a malformed document with the JSON path that is wrong: ${what}`, () => {
      const parsed = parsePoolSet(document);
      expect(parsed.ok ? '' : parsed.message).to.contain(message);
    });
  }

  const unreadable: [string, () => string, string][] = [
    ['a file that does not exist', () => path.join(folder, 'nowhere.json'), 'does not exist'],
    ['a directory', () => folder, 'is a directory'],
    ['text that is not JSON', () => written('broken.json', '{"chainId":1,'), 'is not JSON'],
    ['an empty file', () => written('empty.json', ''), 'is not JSON'],
    ['a gzip stream that is cut', () => written('cut.json.gz', gzipSync(JSON.stringify(minimal)).subarray(0, 40)), 'can not be read'],
  ];
  for (const [what, file, message] of unreadable) {
    it(`names the file and what is wrong with it: ${what}`, async () => {
      const name = file();
      const read = await readPoolSet(name);
      expect(read.ok ? '' : read.message)
        .to.contain(name)
        .and.contain(message);
    });
  }

  it('reads no file beyond its bounds, plain or inflated', async () => {
    const limits = { bytes: 1000, inflatedBytes: 5000 };
    const large = await readJsonFile(written('large.json', ' '.repeat(1001)), limits);
    const bomb = await readJsonFile(written('bomb.json.gz', gzipSync(' '.repeat(5001))), limits);
    const fits = await readJsonFile(written('fits.json.gz', gzipSync(`${' '.repeat(4998)}12`)), limits);
    expect(large.ok ? '' : large.message).to.contain('has 1001 bytes; at most 1000');
    expect(bomb.ok ? '' : bomb.message).to.contain('inflates to more than 5000 bytes');
    expect(fits).to.deep.equal({ ok: true, value: 12 });
  });
});
