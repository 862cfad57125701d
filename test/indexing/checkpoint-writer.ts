import { writeCheckpointFile } from '../../src/indexing/checkpoint/checkpoint-file.ts';
import { encodeCheckpoint } from '../../src/indexing/checkpoint/encode-checkpoint.ts';
import type { TrackedPool } from '../../src/indexing/tracked-pool.ts';
import type { EpochSeconds } from '../../src/units/units.ts';
import { addressOf, idOf } from './made-up-singleton.ts';

// A process that writes one checkpoint after the other, each of another block, until it is killed: node checkpoint-writer.ts FILE
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('which file?');
const identity = { chainId: 1, configuration: 'these deployments', firstBlocks: [0], code: 'this code' };
const pools: readonly TrackedPool[] = Array.from({ length: 2000 }, (_, id) => {
  const address = addressOf(id + 100);
  const pool = { key: address, address, hook: null, protocol: 'p', source: 's', tokens: [addressOf(1), addressOf(2)], traits: {} };
  return { pool, venue: 'v', factory: addressOf(3), state: { reserve: BigInt(id) ** 5n }, stale: false, rereading: { kind: 'logs' }, read: null };
});
for (let number = 1; ; number++) {
  const block = { number, hash: idOf(number), parentHash: idOf(number - 1), timestamp: number as EpochSeconds, baseFeePerGas: null, logsBloom: '0x' as const };
  const checkpoint = { state: { block, pools, announced: [], tokens: [] }, verdicts: [] };
  await writeCheckpointFile(file, encodeCheckpoint(checkpoint, identity), () => false);
  process.stdout.write(`${number}\n`);
}
