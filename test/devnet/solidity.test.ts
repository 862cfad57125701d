import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DevnetError } from '../../src/devnet/devnet.ts';
import { compileTokens } from '../../src/devnet/solidity.ts';

describe('the tokens of the local chain', () => {
  const root = mkdtempSync(join(tmpdir(), 'braid-solidity-'));
  const cache = join(root, 'build', 'solidity');
  const sources = join(root, 'contracts', 'devnet', 'tokens');
  before(() => {
    // Two of them: compiling all of them twice takes seconds.
    for (const file of ['DevnetToken.sol', 'StandardToken.sol']) cpSync(join('contracts/devnet/tokens', file), join(sources, file));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('compile once, and again when the kept outcome is damaged', async () => {
    const compiled = await compileTokens(root);
    expect(compiled).to.have.all.keys('StandardToken');
    const [file] = readdirSync(cache);
    const kept = join(cache, file ?? '');
    const written = statSync(kept).mtimeMs;
    expect(await compileTokens(root)).to.deep.equal(compiled);
    expect(statSync(kept).mtimeMs).to.equal(written);
    writeFileSync(kept, '{"StandardToken":"0x60');
    expect(await compileTokens(root)).to.deep.equal(compiled);
    expect(readdirSync(cache)).to.deep.equal([file]);
  });

  it('tell what is wrong when they do not compile', async () => {
    const broken = join(sources, 'Broken.sol');
    writeFileSync(broken, 'pragma solidity ^0.8.20; contract Broken { uint256 x = "text"; }');
    const outcome = await compileTokens(root).catch((error: unknown) => error);
    rmSync(broken);
    expect(outcome).to.be.instanceOf(DevnetError);
    expect((outcome as DevnetError).message).to.contain('Broken.sol');
  });
});
