import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { checkpointIdentity } from '../../src/indexing/checkpoint/identity.ts';
import type { IndexerThreadData } from '../../src/indexing/thread-data.ts';
import { addressOf } from './made-up-singleton.ts';

const V2 = { venue: 'uniswap_v2', family: 'uniswap_v2', factory: addressOf(1), fromBlock: 5 };
const V3 = { venue: 'uniswap_v3', family: 'uniswap_v3', factory: addressOf(2), fromBlock: 6 };
const IDENTITY = 'indexing/checkpoint/identity.ts';
/** By their names in the folder of the source. */
const FILES: readonly (readonly [string, string])[] = [
  ['venues/track.ts', 'export const a = 1;'],
  ['venues/one/price.ts', 'export const b = 1;'],
  ['venues/one/hooks/deep.ts', 'export const c = 1;'],
  ['venues/one/notes.md', 'words'],
  ['indexing/follow.ts', 'export const d = 1;'],
  ['market/price.ts', 'export const e = 1;'],
  ['units/units.ts', 'export const f = 1;'],
  ['http/answer.ts', 'export const g = 1;'],
];
const data = (changes: Partial<IndexerThreadData>): IndexerThreadData =>
  ({ chainId: 1, rpcUrls: ['http://one/'], deployments: [V2, V3], wrappedNative: addressOf(9), pollMs: 1, ...changes }) as unknown as IndexerThreadData;

describe('what a checkpoint is of', () => {
  it('is the same for the same pools, whichever nodes tell of them and in whichever order deployments are named', () => {
    expect(checkpointIdentity(data({ rpcUrls: ['http://two/'], deployments: [V3, V2] }))).to.deep.equal(checkpointIdentity(data({})));
    // Nor does it depend on which of them is the older one.
    const later = { ...V2, fromBlock: V3.fromBlock + 1 };
    expect(checkpointIdentity(data({ deployments: [V3, later] }))).to.deep.equal(checkpointIdentity(data({ deployments: [later, V3] })));
  });

  it('is another with another deployment, label or wrapped native token; first blocks stand beside it, in the same order', () => {
    const first = checkpointIdentity(data({})).configuration;
    const others = [
      data({ deployments: [V2] }),
      data({ deployments: [V2, { ...V3, family: 'pancakeswap_v3' }] }),
      data({ deployments: [V2, { ...V3, factory: addressOf(3) }] }),
      data({ wrappedNative: addressOf(8) }),
    ].map((other) => checkpointIdentity(other).configuration);
    expect(new Set([first, ...others]).size).to.equal(others.length + 1);
    const later = checkpointIdentity(data({ deployments: [{ ...V3, fromBlock: 7 }, V2] }));
    expect([later.configuration, later.firstBlocks]).to.deep.equal([first, [5, 7]]);
  });

  describe('knows the code of what reads pools', () => {
    let folder: string;
    let code: () => string;
    before(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'braid-identity-'));
      const source = fileURLToPath(new URL('../../src/', import.meta.url));
      // The file itself among files that a test may change: it looks for code from where it lies.
      for (const [name, text] of [...FILES, [IDENTITY, readFileSync(path.join(source, IDENTITY), 'utf8')] as const]) write(name, text);
      const copy = (await import(pathToFileURL(path.join(folder, IDENTITY)).href)) as { readonly checkpointIdentity: typeof checkpointIdentity };
      code = () => copy.checkpointIdentity(data({})).code;
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    function write(name: string, text: string): void {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }

    it('by a digest, which is the same each time', () => {
      expect(code()).to.match(/^[0-9a-f]{64}$/);
      expect(code()).to.equal(code());
      expect(checkpointIdentity(data({})).code).to.not.equal(code());
    });

    for (const [name, text] of FILES) {
      const counts = name.endsWith('.ts') && !name.startsWith('http');
      it(`${counts ? 'by' : 'not by'} ${name}`, () => {
        const before = code();
        write(name, `${text}// changed`);
        expect(code() !== before).to.equal(counts);
        write(name, text);
        expect(code()).to.equal(before);
      });
    }

    it('by the names of its files', () => {
      const before = code();
      renameSync(path.join(folder, 'venues/one/price.ts'), path.join(folder, 'venues/one/cost.ts'));
      expect(code()).to.not.equal(before);
    });
  });
});
