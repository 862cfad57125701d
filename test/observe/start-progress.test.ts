import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import sinon from 'sinon';
import type { IndexerReport } from '../../src/indexing/indexing.ts';
import { createStartProgress } from '../../src/observe/observe.ts';
import { until } from '../support/until.ts';

/** A terminal that keeps what was drawn. */
function terminalOf() {
  let drawn = '';
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 120, rows: 40 });
  terminal.on('data', (chunk: Buffer) => {
    drawn += chunk.toString();
  });
  return { terminal, drawn: () => drawn };
}

const progress = (phase: 'logs' | 'pairs' | 'states', done: number, total: number): IndexerReport => ({ kind: 'progress', chainId: 1, phase, done, total });
const PUBLISHED = { kind: 'published', chainId: 1 } as IndexerReport;

/** DECTCEM. */
const [CURSOR_SHOWN, CURSOR_HIDDEN] = ['\u001b[?25h', '\u001b[?25l'];

describe('the progress of a start on a terminal', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('is drawn for each chain and phase that takes a while, and ends with the first block', async () => {
    const { terminal, drawn } = terminalOf();
    const shown = createStartProgress(terminal);
    try {
      shown.hear('ethereum', progress('logs', 10, 1000));
      expect(drawn(), 'not before it is worth it').not.to.include('ethereum');
      clock.tick(1000);
      shown.hear('ethereum', progress('logs', 250, 1000));
      shown.hear('base', progress('states', 0, 64));
      clock.tick(1000);
      shown.hear('base', progress('states', 32, 64));
      const lines = ['ethereum: ', '25% blocks searched for pools (250 of 1000', 'base: ', '50% pools read (32 of 64'];
      expect(await until(() => lines.every((line) => drawn().includes(line)), 60_000), drawn()).to.equal(true);
      shown.hear('ethereum', PUBLISHED);
      shown.hear('ethereum', progress('states', 1, 2));
      shown.hear('base', PUBLISHED);
      expect(drawn().lastIndexOf(CURSOR_SHOWN), 'the terminal is as it was').to.be.above(drawn().lastIndexOf(CURSOR_HIDDEN));
    } finally {
      shown.end();
    }
  });

  it('is of the first start alone: what is read anew later is told by metrics', () => {
    const { terminal, drawn } = terminalOf();
    const shown = createStartProgress(terminal);
    shown.hear('ethereum', PUBLISHED);
    shown.hear('ethereum', progress('pairs', 1, 10));
    clock.tick(5000);
    shown.hear('ethereum', progress('pairs', 5, 10));
    shown.end();
    expect(drawn()).not.to.include('pairs asked for');
  });
});
