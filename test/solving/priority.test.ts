import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import { realSolving } from '../http/support/real-solving.ts';

const TASKS = '/proc/self/task';
/** Field 19 of proc(5)'s stat; the name before it may hold spaces. */
const NICENESS_FIELD = 16;

describe('the priority of solver threads', () => {
  it('is below that of the main thread, which keeps its own', async function () {
    if (process.platform !== 'linux') this.skip();
    const before = nicenessByThread();
    const { solving } = await realSolving();
    const after = nicenessByThread();
    await solving.close();
    const own = before.get(String(process.pid));
    expect(after.get(String(process.pid)), 'of the main thread').to.equal(own);
    const lowered = [...after].filter(([id, niceness]) => !before.has(id) && niceness === Math.min(19, Number(own) + LIMITS.solving.niceness));
    expect(lowered).to.have.lengthOf.at.least(solving.threads);
  });
});

function nicenessByThread(): ReadonlyMap<string, number> {
  return new Map(
    readdirSync(TASKS).map((id) => {
      const stat = readFileSync(`${TASKS}/${id}/stat`, 'utf8');
      return [id, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICENESS_FIELD])];
    }),
  );
}
