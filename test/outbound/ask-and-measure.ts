// Asks an origin for as many answers at once as there may be, over and over, and says by how much resident memory grew; in a process of its own, so that nothing else's memory is measured. Argument: the origin.
import { LIMITS } from '../../src/config/limits.ts';
import { createAsk } from '../../src/outbound/outbound.ts';
import { asAddress } from '../../src/units/units.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const ROUNDS = 8;
const AT_ONCE = 16;
const NOBODY = asAddress(`0x${'12'.repeat(20)}`);

// On a machine that is busy nobody is to be late.
const limits = { ...LIMITS.outbound, deadlineMs: 60_000 };
const ask = createAsk({ sources: [{ name: 'stall', origin: String(process.argv[2]) }], limits });
const reasons = new Set<string>();
let most = 0;

async function rounds(path: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const asked = Array.from({ length: AT_ONCE }, async () => {
      const answer = await ask({ name: 'stall', origin: String(process.argv[2]), path, contract: NOBODY, signer: NOBODY }, '{}', new AbortController().signal);
      most = Math.max(most, process.memoryUsage.rss());
      reasons.add(`${path} ${answer.ok ? answer.text.length : answer.reason}`);
    });
    await Promise.all(asked);
  }
}

const sampling = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 1);
// What as many of the longest answers take that are taken is what the process has in any case, garbage included.
await rounds('/longest');
await rounds('/longest');
const before = most;
collectGarbage();
most = 0;
await rounds('/huge');
await rounds('/unsaid');
clearInterval(sampling);
process.stdout.write(JSON.stringify({ mebibytes: (most - before) / 2 ** 20, reasons: [...reasons] }));
