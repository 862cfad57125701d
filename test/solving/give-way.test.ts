import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { expect } from 'chai';
import { LIMITS } from '../../src/config/config.ts';
import { realSolving } from '../http/support/real-solving.ts';
import { until } from '../support/until.ts';

/** How nice each thread of this process is (proc(5), stat: the nineteenth field; the second, in parentheses, may hold blanks). */
function niceOfThreads(): readonly number[] {
  return readdirSync('/proc/self/task').map((id) => Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]));
}

describe('priorities', () => {
  it('solver threads, the one in reserve too, give way to the main thread', async function test() {
    this.timeout(40_000);
    if (process.platform !== 'linux' || os.getPriority() + LIMITS.solving.niceness > 19) this.skip();
    const own = os.getPriority();
    const before = niceOfThreads().filter((nice) => nice > own).length;
    const { solving } = await realSolving();
    const lowered = () => niceOfThreads().filter((nice) => nice === own + LIMITS.solving.niceness).length - before;
    // The one in reserve is loaded after the others.
    const all = await until(() => lowered() === 1 + LIMITS.solving.reserveThreads, 30_000);
    await solving.close();
    expect(all).to.equal(true);
    expect(os.getPriority()).to.equal(own);
  });
});
