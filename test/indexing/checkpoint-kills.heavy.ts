import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { decodeCheckpoint } from '../../src/indexing/checkpoint/decode-checkpoint.ts';
import { FULL_SCALE, SEED, seededRandom } from '../support/seeded-random.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { IDENTITY } from './followed-chain.ts';

const KILLS = FULL_SCALE ? 200 : 15;
const WRITER = fileURLToPath(new URL('./checkpoint-writer.ts', import.meta.url));
const TYPESCRIPT = fileURLToPath(new URL('../../scripts/typescript.mjs', import.meta.url));

describe(`a process that is killed while it writes checkpoints (${KILLS} times, seed ${SEED})`, function suite() {
  this.timeout(KILLS * 20_000);
  const folder = useTemporaryFolder();

  it('leaves a whole one, no older than the last that it said was written, or none where it wrote none', async () => {
    const random = seededRandom('kills');
    let unfinished = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const file = path.join(folder.current(), `chain-${kill}.checkpoint`);
      const writer = spawn(process.execPath, ['--import', TYPESCRIPT, WRITER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(writer, 'exit');
      let said = 0;
      const lines = createInterface({ input: writer.stdout });
      lines.on('line', (line) => {
        said = Number(line);
      });
      // Of every fifth not even the first is finished; the moment itself is what the test draws.
      if (kill % 5 !== 0) await once(lines, 'line');
      else while (readdirSync(folder.current()).every((name) => !name.startsWith(path.basename(file)))) await sleep(1);
      await sleep(random.unit() * 40);
      writer.kill('SIGKILL');
      await exited;
      unfinished += readdirSync(folder.current()).some((name) => name.startsWith(`${path.basename(file)}.`)) ? 1 : 0;
      if (!existsSync(file)) {
        expect(said).to.equal(0);
        continue;
      }
      const decoded = decodeCheckpoint(readFileSync(file), IDENTITY);
      if (!decoded.ok) throw new Error(`kill ${kill}: ${decoded.reason}: ${decoded.message}`);
      expect(decoded.state.block.number).to.be.at.least(said);
      expect(decoded.state.pools).to.have.length(2000);
    }
    expect(unfinished, 'kills in the middle of writing').to.be.above(0);
  });
});
