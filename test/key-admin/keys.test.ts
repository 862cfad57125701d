import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { runKeys } from '../../src/key-admin/key-admin.ts';
import { keyRingOf, parseKeyFile } from '../../src/metering/metering.ts';
import { ROOT } from '../support/source-files.ts';

const NOW = new Date('2026-05-06T07:08:09Z');
const PARTNER = '0x00000000000000000000000000000000000000Aa';

describe('npm run keys', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'braid-key-admin-'));
    file = path.join(folder, 'keys.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function run(...argv: readonly string[]) {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runKeys(argv, { out: (line) => out.push(line), err: (line) => err.push(line), keysFile: file, now: () => NOW, lockMs: 30_000 });
    return { code, out: out.join('\n'), err: err.join('\n') };
  }

  function stored() {
    const parsed = parseKeyFile(readFileSync(file, 'utf8'));
    if (!parsed.ok) throw new Error(parsed.message);
    return parsed.file;
  }

  it('issue prints the key once, and the service knows it by the file', async () => {
    const { code, out, err } = await run('issue', '--rps', '250');
    expect(code).to.equal(0);
    expect(out).to.match(/^braid_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    const [, , id = '', secret = ''] = out.split('_');
    expect(err).to.include(id).and.not.include(secret);
    expect(readFileSync(file, 'utf8')).not.to.include(secret);
    expect(keyRingOf(stored()).find(out)).to.deep.include({ id, rps: 250, partnerId: id, surplus: 'protocol', gatedVenues: [] });
  });

  it('an issued key has a fee of 0 by default, which overrides the request’s (R12); --fee-by-request leaves the policy out', async () => {
    await run('issue', '--rps', '1');
    await run('issue', '--rps', '1', '--fee-by-request');
    await run('issue', '--rps', '1', '--fee-bps', '0');
    const zero = { feeBps: 0, partner: `0x${'0'.repeat(40)}`, partnerShareBps: 0 };
    expect(stored().keys.map(({ feePolicy }) => feePolicy)).to.deep.equal([zero, undefined, zero]);
  });

  it('everything that an operator may decide goes into the entry', async () => {
    const fee = ['--fee-bps', '25', '--partner', PARTNER, '--partner-share-bps', '4000'];
    const { out } = await run('issue', '--rps', '7', ...fee, '--partner-id', 'wallet-1', '--surplus', 'shared', '--gated', ' RWA:Gold, partner_v2,,partner_v2');
    const [entry] = stored().keys;
    expect(entry).to.deep.include({
      rps: 7,
      feePolicy: { feeBps: 25, partner: PARTNER, partnerShareBps: 4000 },
      partnerId: 'wallet-1',
      surplus: 'shared',
      gatedVenues: ['rwa:gold', 'partner_v2'],
      created: NOW.toISOString(),
      revoked: null,
    });
    expect(keyRingOf(stored()).find(out)?.feePolicy?.partner).to.equal(PARTNER.toLowerCase());
  });

  it('list shows what was granted, and neither secrets nor digests', async () => {
    const { out: key } = await run('issue', '--rps', '7', '--partner-id', 'wallet-1', '--gated', 'a,b:c');
    await run('issue', '--rps', '8');
    const { code, out } = await run('list');
    expect(code).to.equal(0);
    expect(out.split('\n')).to.have.length(3);
    expect(out)
      .to.match(/ 7 .*wallet-1/)
      .and.include('a,b:c');
    for (const { secretHash } of stored().keys) expect(out).not.to.include(secretHash);
    expect(out).not.to.include(key.split('_')[3]);
  });

  it('list shows no control characters of a file that was written by hand', async () => {
    await run('issue', '--rps', '7');
    const [entry] = stored().keys;
    writeFileSync(file, JSON.stringify({ keys: [{ ...entry, partnerId: 'a\u001b[2Jb\n' }] }));
    expect((await run('list')).out).to.include('a?[2Jb?');
  });

  it('revoke marks the key, keeps the others, and says so when asked again', async () => {
    const { out: key } = await run('issue', '--rps', '7');
    const { out: other } = await run('issue', '--rps', '8');
    const id = key.split('_')[2] ?? '';
    expect(await run('revoke', id)).to.deep.equal({ code: 0, out: `Key ${id} is revoked.`, err: '' });
    const text = readFileSync(file, 'utf8');
    expect((await run('revoke', id)).out).to.equal(`Key ${id} was revoked already, at ${NOW.toISOString()}.`);
    expect(readFileSync(file, 'utf8')).to.equal(text);
    expect(keyRingOf(stored()).find(key)).to.equal(null);
    expect(keyRingOf(stored()).find(other)?.rps).to.equal(8);
    expect((await run('list')).out).to.include(`revoked ${NOW.toISOString()}`);
  });

  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['isue'], 'the first word must be issue, list or revoke'],
    [['issue'], '--rps N is missing'],
    [['issue', '--rps', '0'], '--rps is "0"; an integer from 1 to 1000000'],
    [['issue', '--rps', '1.5'], '--rps is "1.5"'],
    [['issue', '--rps', '1e3'], '--rps is "1e3"'],
    [['issue', '--rps', '-5'], "Option '--rps' argument is ambiguous"],
    [['issue', '--rps', '1000001'], '--rps is "1000001"'],
    [['issue', '--rps', '1', '--rps', '2'], '--rps is given twice'],
    [['issue', '--rps', '1', '--fee-bps', '1501'], '--fee-bps is "1501"; an integer from 0 to 1500'],
    [['issue', '--rps', '1', '--fee-bps', '5'], '--fee-bps above 0 needs --partner and --partner-share-bps too'],
    [['issue', '--rps', '1', '--partner', PARTNER], 'need a --fee-bps above 0'],
    [['issue', '--rps', '1', '--fee-bps', '5', '--partner', '0x12', '--partner-share-bps', '1'], '--partner is "0x12"'],
    [['issue', '--rps', '1', '--fee-bps', '5', '--partner', `0x${'0'.repeat(40)}`, '--partner-share-bps', '1'], 'other than zero'],
    [['issue', '--rps', '1', '--fee-bps', '5', '--partner', PARTNER, '--partner-share-bps', '10001'], '--partner-share-bps is "10001"'],
    [['issue', '--rps', '1', '--fee-by-request', '--fee-bps', '5'], '--fee-by-request excludes'],
    [['issue', '--rps', '1', '--surplus', 'mine'], '--surplus is "mine"; protocol, taker or shared'],
    [['issue', '--rps', '1', '--gated', 'a b'], '--gated has "a b"'],
    [['issue', '--rps', '1', '--gated', ','], '--gated must name 1 to 256'],
    [['issue', '--rps', '1', '--partner-id', 'a\nb'], '--partner-id must be'],
    [['issue', '--rps', '1', '--partner-id', ''], '--partner-id must be'],
    [['issue', '--rps', '1', '--colour', 'red'], "Unknown option '--colour'"],
    [['issue', '--rps', '1', 'more'], 'issue takes options only'],
    [['list', 'x'], 'list takes options only'],
    [['list', '--rps', '1'], "Unknown option '--rps'"],
    [['revoke'], 'revoke needs the ID of a key'],
    [['revoke', 'abc'], 'that is no ID'],
    [['revoke', 'aaaaaaaa'], 'keys.json can not be read: ENOENT'],
    [['list'], 'keys.json can not be read: ENOENT'],
    [['issue', '--rps', '1', '--file', ''], 'which key file?'],
  ];
  for (const [argv, message] of refusals) {
    it(`refuses ${JSON.stringify(argv.join(' '))} in one line, and makes no file`, async () => {
      const { code, out, err } = await run(...argv);
      expect([code, out, err.split('\n').length]).to.deep.equal([1, '', 1]);
      expect(err)
        .to.match(/^keys: /)
        .and.include(message);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }

  it('refuses a place below a file in one line, and leaves that file as it is', async () => {
    const other = path.join(folder, 'other');
    writeFileSync(other, 'something else');
    const { code, out, err } = await run('issue', '--rps', '1', '--file', path.join(other, 'keys.json'));
    expect([code, out, err.split('\n').length]).to.deep.equal([1, '', 1]);
    expect(err)
      .to.match(/^keys: /)
      .and.include('ENOTDIR');
    expect(readdirSync(folder)).to.deep.equal(['other']);
    expect(readFileSync(other, 'utf8')).to.equal('something else');
  });

  it('a whole key given to revoke is not repeated', async () => {
    const { out: key } = await run('issue', '--rps', '1');
    const { code, err } = await run('revoke', key);
    expect(code).to.equal(1);
    expect(err).not.to.include(key.split('_')[3]);
  });

  it('an unknown ID is refused; a file that is broken is refused and left as it is', async () => {
    await run('issue', '--rps', '1');
    expect((await run('revoke', 'zzzzzzzz')).err).to.match(/has no key zzzzzzzz$/);
    writeFileSync(file, '{"keys": [');
    for (const argv of [['issue', '--rps', '1'], ['list'], ['revoke', 'zzzzzzzz']]) {
      expect(await run(...argv)).to.include({ code: 1, err: `keys: ${file}: key file: not a JSON document: line 1, column 11, CloseBracketExpected` });
    }
    expect(readFileSync(file, 'utf8')).to.equal('{"keys": [');
  });

  it('--help, and nothing at all, print the usage and end well', async () => {
    for (const argv of [[], ['--help'], ['issue', '--help'], ['revoke', '--help']]) {
      const { code, out } = await run(...argv);
      expect([code, out.split('\n')[0]]).to.deep.equal([0, 'Usage: npm run keys -- issue --rps N [options] | list | revoke ID']);
    }
  });

  it('the file is for its owner alone, and nothing else is left in the folder', async () => {
    await run('issue', '--rps', '1');
    await run('issue', '--rps', '1');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['keys.json']);
  });

  it('a link stays a link, and the file behind it is the one that changes', async () => {
    const link = path.join(folder, 'link.json');
    await run('issue', '--rps', '1');
    symlinkSync(file, link);
    expect((await run('issue', '--rps', '2', '--file', link)).code).to.equal(0);
    expect(stored().keys).to.have.length(2);
    expect(readdirSync(folder).sort()).to.deep.equal(['keys.json', 'link.json']);
  });

  it('whose file it was, it stays', async function owner() {
    // Only root may give a file away.
    if (process.getuid?.() !== 0) return this.skip();
    await run('issue', '--rps', '1');
    chownSync(file, 1234, 2345);
    await run('issue', '--rps', '2');
    expect([statSync(file).uid, statSync(file).gid]).to.deep.equal([1234, 2345]);
  });

  it('who could read it can read it: a service of the same group hears of a revocation', async () => {
    const { out: key } = await run('issue', '--rps', '1');
    chmodSync(file, 0o640);
    expect((await run('revoke', key.split('_')[2] ?? '')).code).to.equal(0);
    expect(statSync(file).mode & 0o777).to.equal(0o640);
  });

  it('many at the same time lose nothing, and who reads meanwhile sees a whole file', async () => {
    await run('issue', '--rps', '1');
    let reading = true;
    let reads = 0;
    const reader = (async () => {
      while (reading) {
        expect(stored().keys.length).to.be.at.least(1);
        reads++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    // Some in processes of their own, some in this one.
    const script = ['--import', './scripts/typescript.mjs', 'src/keys.ts', 'issue', '--rps', '3', '--file', file];
    const children = Array.from({ length: 3 }, () => spawn(process.execPath, script, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] }));
    const [here, there] = await Promise.all([Promise.all(Array.from({ length: 20 }, () => run('issue', '--rps', '2'))), Promise.all(children.map(outputOf))]);
    reading = false;
    await reader;
    expect(reads).to.be.at.least(10);
    expect([...here.map(({ code }) => code), ...there.map(({ code }) => code)].every((code) => code === 0)).to.equal(true);
    const ring = keyRingOf(stored());
    expect(ring.size).to.equal(24);
    for (const key of [...here.map(({ out }) => out), ...there.map(({ out }) => out.trim())]) expect(ring.find(key), key).not.to.equal(null);
    expect(readdirSync(folder)).to.deep.equal(['keys.json']);
  });

  it('waits as long for each of those who come first', async () => {
    const lock = `${file}.lock`;
    const waitMs = 2000;
    writeFileSync(lock, '');
    const code = runKeys(['issue', '--rps', '1'], { out: () => {}, err: () => {}, keysFile: file, now: () => NOW, lockMs: waitMs });
    const startedAt = performance.now();
    while (performance.now() - startedAt < 1.25 * waitMs) {
      await new Promise((resolve) => setTimeout(resolve, waitMs / 10));
      writeFileSync(`${lock}.next`, '');
      renameSync(`${lock}.next`, lock);
    }
    rmSync(lock);
    expect(await code).to.equal(0);
  });

  it('a lock that nobody takes away is a clear message that names it', async () => {
    writeFileSync(`${file}.lock`, '');
    const err: string[] = [];
    const code = await runKeys(['issue', '--rps', '1'], { out: () => {}, err: (line) => err.push(line), keysFile: file, now: () => NOW, lockMs: 50 });
    expect([code, err.length]).to.deep.equal([1, 1]);
    expect(err[0]).to.include(`${file}.lock is there; remove it if no other npm run keys is at work`);
    expect(existsSync(file)).to.equal(false);
  });
});

async function outputOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly out: string }> {
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out };
}
