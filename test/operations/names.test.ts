import { expect } from 'chai';
import { createMetrics } from '../../src/observe/observe.ts';
import { dashboards, filesOf, panelQueries } from './dashboard-files.ts';

const RULES = filesOf('grafana/prometheus/rules', '.yml')
  .map(({ text }) => text)
  .join('\n');
const TESTS = filesOf('grafana/prometheus/tests', '.yml')
  .map(({ text }) => text)
  .join('\n');
const ALERTS = all(/^ +- alert: (\w+)$/gm, RULES);
const RECORDED = all(/^ +- record: ([\w:]+)$/gm, RULES);

function all(pattern: RegExp, text: string): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** Names of metrics of the service in a text, as they are declared: a histogram's parts are the histogram. */
function metricsIn(text: string, histograms: ReadonlySet<string>): readonly string[] {
  // Recorded series have a colon before and after the metric that they are made of.
  const names = [...text.matchAll(/(?<![\w:])(?:braid|process|nodejs)_[a-z0-9_]+(?![\w:])/g)].map(([name]) => name);
  return names.map((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, '');
    return histograms.has(base) ? base : name;
  });
}

describe('metrics, panels and alerts name the same things', () => {
  const { registry } = createMetrics({ version: '0', mode: 'test' });
  const declared = registry.getMetricsAsArray();
  const names = new Set(declared.map(({ name }) => name));
  const histograms = new Set(declared.filter((metric) => metric.constructor.name === 'Histogram').map(({ name }) => name));
  const queried = panelQueries()
    .map(({ expr }) => expr)
    .join('\n');
  const variables = JSON.stringify(dashboards().map(({ templating }) => templating));

  it('every panel, variable, rule and test of a rule names metrics that there are', () => {
    for (const text of [queried, variables, RULES, TESTS.replaceAll(/grafana\S+/g, '')]) {
      const used = metricsIn(text, histograms);
      expect(used.length).to.be.at.least(1);
      expect(used.filter((name) => !names.has(name))).to.deep.equal([]);
    }
    const recordedUses = [...`${queried}\n${RULES}`.matchAll(/\b(?:job|instance):[\w:]+/g)].map(([name]) => name);
    expect(recordedUses.filter((name) => !RECORDED.includes(name))).to.deep.equal([]);
  });

  it('every metric of ours is in a panel, a variable or an alert', () => {
    const used = new Set(metricsIn([queried, variables, RULES].join('\n'), histograms));
    expect([...names].filter((name) => name.startsWith('braid_') && !used.has(name))).to.deep.equal([]);
  });

  it('no query goes by a label that a metric does not have', () => {
    const labels = new Map(declared.map((metric) => [metric.name, new Set(['job', 'instance', 'le', ...Reflect.get(metric, 'labelNames')])]));
    const wrong = [...[queried, RULES].join('\n').matchAll(/(?<![\w:])(braid_[a-z0-9_]+)\{([^}]*)\}/g)].flatMap(([, name = '', selectors = '']) => {
      const [metric = ''] = metricsIn(name, histograms);
      const used = [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
      return used.filter((label) => !labels.get(metric)?.has(label)).map((label) => `${metric}{${label}}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('every dashboard has a uid, panels say what they show, and all choose by data source, job, instance and chain', () => {
    expect(dashboards().map(({ uid }) => uid)).to.have.members([
      'braid-overview',
      'braid-solver',
      'braid-indexer',
      'braid-venues-and-makers',
      'braid-admission',
    ]);
    for (const { panels, templating } of dashboards()) {
      const without = panels.filter((panel) => panel.targets !== undefined && !Reflect.get(panel, 'description'));
      expect(without).to.deep.equal([]);
      expect((templating as { list: { name: string }[] }).list.map(({ name }) => name)).to.deep.equal(['datasource', 'job', 'instance', 'chain']);
    }
  });
});

describe('the way of a block on the dashboard of the indexer', () => {
  it('is a row for each chain, that asks for that chain alone: head, indexed, published, solved', () => {
    const strips = dashboards().flatMap(({ title, panels }) =>
      panels.flatMap((row, at) => {
        if (row.repeat !== 'chain') return [];
        const rest = panels.slice(at + 1);
        const end = rest.findIndex(({ type }) => type === 'row');
        return [{ title, panels: rest.slice(0, end < 0 ? rest.length : end) }];
      }),
    );
    expect(strips.map(({ title }) => title)).to.deep.equal(['Braid: indexer']);
    const panels = strips.flatMap((strip) => strip.panels);
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.filter((expr) => !expr.includes('chain=~"$chain"'))).to.deep.equal([]);
    const shown = panels.filter(({ type }) => type === 'stat').map(({ targets = [] }) => metricsIn(targets[0]?.expr ?? '', new Set())[0]);
    expect(shown).to.deep.equal(['braid_indexer_head_block_number', 'braid_indexer_block_number', 'braid_snapshot_block_number', 'braid_solver_block_number']);
  });
});

describe('every alert', () => {
  it('has a runbook of its name whose first line says what to do, and there is none without an alert', () => {
    const runbooks = filesOf('grafana/runbooks', '.md');
    expect(runbooks.map(({ name }) => name.replace('.md', '')).sort()).to.deep.equal([...ALERTS].sort());
    for (const { name, text } of runbooks) {
      const [first = '', blank, heading] = text.split('\n');
      expect(first.length, name).to.be.within(40, 400);
      expect(first, name).not.to.match(/^[#\s]/);
      expect([blank, heading], name).to.deep.equal(['', `# ${name.replace('.md', '')}`]);
    }
    expect(all(/runbook: grafana\/runbooks\/(\w+)\.md$/gm, RULES)).to.deep.equal(ALERTS);
  });

  it('has a severity, and a test that fires it and one that does not', () => {
    expect(all(/^ +labels: \{ severity: (page|ticket) \}$/gm, RULES)).to.have.length(ALERTS.length);
    const cases = TESTS.split('\n  - name: ').slice(1);
    const tested = cases.map((text) => {
      const [, alert, expected] = /alertname: (\w+)\n +exp_alerts:( \[\])?/.exec(text) ?? [];
      return `${alert} ${expected === undefined ? 'fires' : 'does not fire'}`;
    });
    expect(ALERTS.length).to.be.at.least(20);
    for (const alert of ALERTS) expect(tested).to.include.members([`${alert} fires`, `${alert} does not fire`]);
  });
});
