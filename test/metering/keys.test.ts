import crypto, { createHash } from 'node:crypto';
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { issueKey, type KeyEntry, keyRingOf, parseApiKey, parseKeyFile, type WatchedKeys, watchKeys } from '../../src/metering/metering.ts';
import { until } from '../support/until.ts';

const CREATED = new Date('2026-01-02T03:04:05Z');
const grant = { rps: 50, partnerId: 'wallet' };

describe('API keys', () => {
  it('have the form braid_live_<8 id>_<32 secret>_<6 checksum>', () => {
    for (let i = 0; i < 100; i++) expect(issueKey(grant, CREATED).key).to.match(/^braid_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
  });

  it('the file entry has the SHA-256 of the secret and never the secret', () => {
    const { key, entry } = issueKey({ ...grant, surplus: 'taker' }, CREATED);
    const [, , id, secret = ''] = key.split('_');
    expect(entry).to.deep.equal({
      id,
      secretHash: createHash('sha256').update(secret).digest('hex'),
      rps: 50,
      partnerId: 'wallet',
      surplus: 'taker',
      gatedVenues: [],
      created: '2026-01-02T03:04:05.000Z',
      revoked: null,
    });
    expect(JSON.stringify(entry)).not.to.include(secret);
    expect(parseKeyFile(JSON.stringify({ keys: [entry] })).ok).to.equal(true);
  });

  it('a changed character anywhere makes it no key: the checksum is a CRC-32 in base 62', () => {
    const { key } = issueKey(grant, CREATED);
    for (let i = 'braid_live_'.length; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1);
      expect(parseApiKey(changed), changed).to.equal(null);
    }
  });

  it('an unknown id costs the same work as a wrong secret: one digest, one comparison', () => {
    const { key, entry } = issueKey(grant, CREATED);
    const other = issueKey(grant, CREATED).key;
    const ring = keyRingOf({ keys: [{ ...entry, secretHash: '11'.repeat(32) }] });
    const spies = [sinon.spy(crypto, 'createHash'), sinon.spy(crypto, 'timingSafeEqual')];
    syncBuiltinESMExports();
    try {
      const workOf = (text: string) => {
        for (const spy of spies) spy.resetHistory();
        expect(ring.find(text)).to.equal(null);
        return spies.map(({ callCount }) => callCount);
      };
      expect(workOf(key)).to.deep.equal([1, 1]);
      expect(workOf(other)).to.deep.equal([1, 1]);
    } finally {
      sinon.restore();
      syncBuiltinESMExports();
    }
  });

  it('the checksum is what an independent computation gives', () => {
    // CRC-32 (zlib) of 'braid_live_AAAAAAAA_' followed by 32 times 'B', from another implementation: 0x given below in base 62.
    const text = `braid_live_AAAAAAAA_${'B'.repeat(32)}`;
    let crc = 0xffffffff;
    for (const byte of Buffer.from(text)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    let rest = (crc ^ 0xffffffff) >>> 0;
    let checksum = '';
    while (checksum.length < 6) {
      checksum = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(rest % 62) + checksum;
      rest = Math.floor(rest / 62);
    }
    expect(parseApiKey(`${text}_${checksum}`)).to.deep.equal({ id: 'AAAAAAAA', secret: 'B'.repeat(32) });
  });

  it('unrecognised, malformed and revoked are treated exactly like no key', () => {
    const known = issueKey({ ...grant, gatedVenues: ['RWA:Gold'] }, CREATED);
    const revoked = issueKey(grant, CREATED);
    const stranger = issueKey(grant, CREATED);
    const otherSecret = issueKey(grant, CREATED).key.split('_');
    const ring = keyRingOf({ keys: [known.entry, { ...revoked.entry, revoked: '2026-02-01T00:00:00Z' }] });
    expect(ring.find(known.key)?.gatedVenues).to.deep.equal(['rwa:gold']);
    expect(ring.size).to.equal(1);
    const notKeys = [
      undefined,
      '',
      revoked.key,
      stranger.key,
      known.key.toUpperCase(),
      ` ${known.key}`,
      `${known.key} `,
      `${known.key}, ${known.key}`,
      'k'.repeat(8192),
      `braid_live_${known.entry.id}_${otherSecret[3]}_${otherSecret[4]}`,
    ];
    for (const text of notKeys) expect(ring.find(text), String(text)).to.equal(null);
  });

  it('a file that is wrong is refused with the place and without a value', () => {
    const { entry } = issueKey(grant, CREATED);
    const rows: readonly (readonly [unknown, string])[] = [
      [{ keys: [{ ...entry, rps: 0 }] }, 'keys.0.rps'],
      [{ keys: [{ ...entry, rps: 1.5 }] }, 'keys.0.rps'],
      [{ keys: [entry, entry] }, 'keys.1.id occurs twice'],
      [{ keys: [{ ...entry, secretHash: 'canary-hash' }] }, 'keys.0.secretHash'],
      [{ keys: [{ ...entry, secret: 'canary' }] }, "keys.0 has an unknown field 'secret'"],
      [{ keys: [{ ...entry, surplus: 'mine' }] }, 'keys.0.surplus must be one of'],
      [{ keys: 1 }, 'keys must be array'],
      [{}, "must have required property 'keys'"],
    ];
    for (const [file, place] of rows) {
      const parsed = parseKeyFile(JSON.stringify(file));
      expect(parsed.ok, place).to.equal(false);
      if (!parsed.ok) expect(parsed.message).to.include(place).and.not.include('canary-hash');
    }
    expect(parseKeyFile('{')).to.deep.equal({ ok: false, message: 'key file: not a JSON document: line 1, column 2, CloseBraceExpected' });
    expect(parseKeyFile(' '.repeat(LIMITS.metering.keyFileBytes + 1))).to.deep.equal({ ok: false, message: 'key file: too large' });
  });
});

describe('the watched key file', () => {
  const old = issueKey(grant, CREATED);
  const added = issueKey(grant, CREATED);
  let folder: string;
  let file: string;
  let keys: WatchedKeys | null = null;
  const onReload = sinon.spy();

  const write = (...entries: KeyEntry[]) => writeFile(file, JSON.stringify({ keys: entries }));

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'braid-keys-'));
    file = path.join(folder, 'keys.json');
    onReload.resetHistory();
    await write(old.entry);
    const opened = await watchKeys({ file, intervalMs: 50, onReload });
    if (!opened.ok) throw new Error(opened.message);
    keys = opened.keys;
  });
  afterEach(async () => {
    keys?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Within a second on a machine that is free; on a busy one ten are given. */
  async function soon(holds: () => boolean): Promise<void> {
    expect(await until(holds, 60_000), 'in time').to.equal(true);
  }

  it('rotation: add, overlap, revoke without restart, within a second', async () => {
    await write(old.entry, added.entry);
    await soon(() => keys?.find(added.key) !== null);
    expect(keys?.find(old.key)?.id, 'overlap').to.equal(old.entry.id);
    await write({ ...old.entry, revoked: '2026-03-01T00:00:00Z' }, added.entry);
    await soon(() => keys?.find(old.key) === null);
    expect(keys?.find(added.key)?.id).to.equal(added.entry.id);
  });

  it('a file replaced by rename is seen too', async () => {
    const next = path.join(folder, 'next.json');
    await writeFile(next, JSON.stringify({ keys: [added.entry] }));
    await rename(next, file);
    await soon(() => keys?.find(added.key) !== null && keys?.find(old.key) === null);
  });

  it('a file written over in place is seen too, though it is as long as before', async () => {
    const next = JSON.stringify({ keys: [added.entry] });
    const handle = await open(file, 'r+');
    expect((await handle.stat()).size).to.equal(Buffer.byteLength(next));
    await handle.write(next, 0);
    // The clock of the file system may be no finer than the time since the first writing.
    await handle.utimes(CREATED, CREATED);
    await handle.close();
    await soon(() => keys?.find(added.key) !== null && keys?.find(old.key) === null);
  });

  it('a file that can not be used leaves the keys as they were, and says so', async () => {
    await writeFile(file, '{"keys": [');
    await soon(() => onReload.callCount > 0);
    expect(onReload.firstCall.args[0]).to.deep.equal({ ok: false, message: 'key file: not a JSON document: line 1, column 11, CloseBracketExpected' });
    expect(keys?.find(old.key)?.id).to.equal(old.entry.id);
    await rm(file);
    await soon(() => onReload.callCount > 1);
    expect(keys?.find(old.key)?.id).to.equal(old.entry.id);
    await write(added.entry);
    await soon(() => keys?.find(added.key) !== null);
  });

  it('reload() reads at once (SIGHUP), also when asked twice', async () => {
    await write(added.entry);
    await Promise.all([keys?.reload(), keys?.reload()]);
    expect(keys?.find(added.key)?.id).to.equal(added.entry.id);
  });

  it('a missing file at the start is refused with its reason', async () => {
    const opened = await watchKeys({ file: path.join(folder, 'none.json'), intervalMs: 50, onReload: () => {} });
    expect(opened.ok).to.equal(false);
    if (!opened.ok) expect(opened.message).to.match(/^the key file can not be read: ENOENT/);
  });
});
