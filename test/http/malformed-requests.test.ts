import { expect } from 'chai';
import fc from 'fast-check';
import { scrape } from '../support/scrape.ts';
import { SEED } from '../support/seeded-random.ts';
import { type Edge, startEdge } from './support/edge.ts';
import { malformedRequest } from './support/malformed.ts';
import { type RawAnswer, sendRaw } from './support/raw.ts';
import { type RealSolving, realSolving } from './support/real-solving.ts';

const RUNS = process.env.BRAID_SCALE === 'full' ? 10_000 : 1_000;

describe('D31 generated malformed requests: 0 × 5xx, 0 HTML', () => {
  let real: RealSolving;
  let edge: Edge;

  before(async () => {
    real = await realSolving();
    edge = await startEdge({ chains: [real.hosted], solve: (job, caller) => real.solving.solve(job, caller), budgetsNeverEnd: true });
  });
  after(async () => {
    await edge.close();
    await real.solving.close();
  });

  it(`${RUNS} requests`, async function () {
    this.timeout(300_000);
    const statuses = new Map<number, number>();
    const times: number[] = [];
    const series = await seriesOf(edge);
    expect(series.length).to.be.at.least(500);
    await fc.assert(
      fc.asyncProperty(malformedRequest(edge.key(100_000)), async ({ verb, bytes }) => {
        const answer = await sendRaw(edge.port, bytes);
        times.push(answer.ms);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        check(answer, verb);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // L7: nothing that a caller sends makes a series.
    expect(await seriesOf(edge)).to.deep.equal(series);
    // A generator that only ever gets one answer tests nothing.
    for (const status of [200, 400, 404, 405]) expect(statuses.get(status) ?? 0, `${status} in ${JSON.stringify([...statuses])}`).to.be.greaterThan(0);
    times.sort((a, b) => a - b);
    console.log(
      `      answers ${JSON.stringify(Object.fromEntries(statuses))}, p50 ${times[Math.floor(RUNS / 2)]?.toFixed(2)} ms, p99 ${times[Math.floor(RUNS * 0.99)]?.toFixed(2)} ms`,
    );
  });
});

/** Names and labels of all series, without their values. */
async function seriesOf({ internalUrl }: Edge): Promise<readonly string[]> {
  const text = await scrape(internalUrl);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.slice(0, line.lastIndexOf(' '))).sort();
}

function check(answer: RawAnswer, verb: string): void {
  expect(answer.status, answer.text.slice(0, 400)).to.be.within(200, 499);
  expect(answer.text).not.to.match(/<!doctype|<html|<pre>|\n\s+at /i);
  expect(answer.headers.has('set-cookie')).to.equal(false);
  expect(answer.headers.get('x-ratelimit-limit')).to.match(/^[0-9]+$/);
  expect(answer.headers.get('cache-control')).to.equal('no-store');
  // Bytes that are no HTTP have no method yet: their refusal has a body and ends the connection.
  if ((verb === 'HEAD' && answer.status !== 400) || answer.status === 204) {
    expect(answer.body).to.equal('');
    return;
  }
  const type = answer.headers.get('content-type');
  if (type === 'text/plain; charset=utf-8') {
    expect(answer.status).to.equal(404);
    return;
  }
  expect(type).to.equal('application/json; charset=utf-8');
  const body: unknown = JSON.parse(Buffer.from(answer.body, 'latin1').toString('utf8'));
  if (answer.status >= 400) expect(body).to.have.all.keys('error');
}
