import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { devnetKeyFile } from '../../src/devnet-keys.ts';

describe("the key of the devnet's API", () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'braid-devnet-keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lies in a file of its own, the same at every start', () => {
    const [first, second] = [devnetKeyFile(null, path.join(folder, 'build')), devnetKeyFile(null, path.join(folder, 'build'))];
    expect(second.key).to.equal(first.key);
    expect(second.ring.find(second.key)).to.deep.include({ partnerId: 'devnet' });
    expect(JSON.parse(readFileSync(String(first.file), 'utf8')))
      .to.have.property('keys')
      .with.lengthOf(2);
    // One of them may trade real-world assets; the other sees none.
    expect(second.approvedKey).to.equal(first.approvedKey).and.not.equal(first.key);
    expect([second.key, second.approvedKey].map((key) => second.ring.find(key)?.gatedVenues)).to.deep.equal([[], ['ondo']]);
    expect(readdirSync(path.join(folder, 'build'))).to.deep.equal(['devnet-keys.json']);
  });

  it('is known without a file where none can be written', () => {
    const blocked = path.join(folder, 'blocked');
    writeFileSync(blocked, '');
    const occupied = path.join(folder, 'occupied');
    mkdirSync(path.join(occupied, 'devnet-keys.json', 'something'), { recursive: true });
    for (const place of [blocked, occupied]) {
      const { key, file, ring } = devnetKeyFile(null, place);
      expect(file).to.equal(null);
      expect(ring.find(key)).to.deep.include({ partnerId: 'devnet' });
    }
    expect(readdirSync(occupied)).to.deep.equal(['devnet-keys.json']);
  });

  it('is known beside the keys of a file that the operator names, which is left alone', () => {
    const named = path.join(folder, 'mine.json');
    const { key, file, ring } = devnetKeyFile(named, path.join(folder, 'build'));
    expect(file).to.equal(named);
    expect(ring.find(key)).to.deep.include({ partnerId: 'devnet' });
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
