import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Braid } from '../../src/main.ts';
import { startTestBraid } from '../support/braid.ts';
import { scrape } from '../support/scrape.ts';
import { ROOT } from '../support/source-files.ts';
import { until } from '../support/until.ts';
import { type PanelQuery, panelQueries, withVariables } from './dashboard-files.ts';
import { freePort, needsPrograms, runProgram } from './programs.ts';
import { type RunningPrometheus, startPrometheus } from './running-prometheus.ts';
import { smallLoad } from './small-load.ts';

/** How long a scrape that succeeds may be waited for. */
const SHOWN_WITHIN_MS = 120_000;

const file = (name: string) => path.join(ROOT, 'grafana/prometheus', name);

describe('the rules, by promtool', () => {
  before(function need() {
    needsPrograms(this, 'promtool');
  });

  for (const [title, args] of [
    ['configuration', ['check', 'config', '--syntax-only', file('prometheus.yml')]],
    ['rules', ['check', 'rules', file('rules/recording.yml'), file('rules/alerts.yml')]],
    ['tests: every alert fires when it should and does not when it should not', ['test', 'rules', file('tests/alerts.test.yml')]],
  ] as const) {
    it(title, async () => {
      const { code, output } = await runProgram('promtool', args);
      expect(code, output).to.equal(0);
    });
  }
});

describe('a real Prometheus on the running service under a small load', function suite() {
  this.timeout(600_000);
  let folder: string;
  let braid: Braid;
  let prometheus: RunningPrometheus;

  before(async function start() {
    needsPrograms(this, 'promtool', 'prometheus');
    // The bots trade, so that there are blocks and logs.
    folder = mkdtempSync(path.join(tmpdir(), 'braid-prometheus-'));
    braid = await startTestBraid({ devnetBots: true, devnetMakers: true, env: { FRESHNESS_BOUND_MS: '10000', CHECKPOINT_DIRECTORY: folder } });
    prometheus = await startPrometheus(await freePort(), new URL(braid.internalUrl).host);
  });
  after(async () => {
    await prometheus?.stop();
    await braid?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('every panel of every dashboard shows something, every rule evaluates, and no alert fires', async () => {
    const load = smallLoad(braid);
    const scraped = () => prometheus.query('count_over_time(up{job="braid"}[1h])').then(([sample]) => (sample?.value ?? 0) >= 25);
    expect(await until(scraped, 240_000), 'scrapes').to.equal(true);
    const queries = panelQueries();
    expect(queries.length).to.be.at.least(60);
    let empty = queries;
    const shows = async ({ expr }: PanelQuery) => (await prometheus.query(withVariables(expr))).some(({ value }) => Number.isFinite(value));
    const allShow = async () => {
      const shown = await Promise.all(empty.map(shows));
      empty = empty.filter((_, at) => !shown[at]);
      return empty.length === 0;
    };
    // Where the machine is busy a scrape may have failed just before, which leaves every query without an answer until the next one.
    await until(allShow, SHOWN_WITHIN_MS);
    const answers = await load.stop();
    expect(empty.map(({ dashboard, panel, expr }) => `${dashboard} / ${panel}: ${expr}`)).to.deep.equal([]);
    expect([...answers.keys()].sort()).to.deep.equal([200, 400, 404, 429, 503]);
    const rules = await prometheus.rules();
    expect(rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`)).to.deep.equal([]);
    expect(rules.filter(({ state }) => state === 'firing').map(({ name }) => name)).to.deep.equal([]);
  });

  it('what it exports passes promtool check metrics', async () => {
    const text = await scrape(braid.internalUrl);
    const { code, output } = await runProgram('promtool', ['check', 'metrics'], text);
    expect([code, output]).to.deep.equal([0, '']);
  });

  it('an alert names the chain that stands still, and the panel for it shows the same', async () => {
    await braid.devnet?.setBots(false);
    const bound = async () => (await prometheus.query('braid_snapshot_age_limit_seconds'))[0]?.value === 10;
    expect(await until(bound, SHOWN_WITHIN_MS), 'the bound').to.equal(true);
    const resume = await haltChain(braid);
    const stale = async () => (await prometheus.rules()).some(({ name, state }) => name === 'SnapshotStale' && state === 'firing');
    expect(await until(stale, 240_000), 'fires').to.equal(true);
    const shown = panelQueries().find(({ dashboard, panel }) => dashboard === 'Braid: indexer' && panel === 'Freshness');
    const showsIt = async () =>
      (await prometheus.query(withVariables(shown?.expr ?? ''))).some(({ metric, value }) => metric.chain === 'devnet' && value === 1);
    expect(await until(showsIt, SHOWN_WITHIN_MS), 'the panel').to.equal(true);
    await resume();
    const over = async () => (await prometheus.rules()).every(({ name, state }) => name !== 'SnapshotStale' || state === 'inactive');
    expect(await until(over, 120_000), 'ends').to.equal(true);
  });
});

/** The interval by which the devnet's own heartbeat knows that mining is left to it. */
const HEARTBEATS_OWN = 86_400;

/** Stops the block production of the devnet; resolves to what starts it again. */
async function haltChain(braid: Braid): Promise<() => Promise<void>> {
  const url = braid.devnet?.rpcUrl ?? '';
  const call = async (method: string, params: readonly unknown[]) => {
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  };
  await call('evm_setIntervalMining', [0]);
  return () => call('evm_setIntervalMining', [HEARTBEATS_OWN]);
}
