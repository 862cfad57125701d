import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { judge } from '../../bench/load/checks.ts';
import type { Result } from '../../bench/load/generator.ts';
import { reportHtml } from '../../bench/load/report-html.ts';
import { SCENARIOS } from '../../bench/load/scenarios.ts';
import { summarise } from '../../bench/load/summary.ts';
import { useBrowser } from '../support/browser.ts';

type Seen = {
  readonly title: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly boxes: readonly { readonly across: number; readonly down: number; readonly lines: number; readonly inside: boolean }[];
  readonly wide: number;
};

/** Runs in the page. */
const LOOK = `({
  title: document.title,
  text: document.body.textContent,
  headings: [...document.querySelectorAll('h2')].map((heading) => heading.textContent),
  boxes: [...document.querySelectorAll('svg')].map((svg) => {
    const { width: across, height: down } = svg.getBoundingClientRect();
    const lines = [...svg.querySelectorAll('polyline')].map((line) => line.getBoundingClientRect());
    return { across, down, lines: lines.length, inside: lines.every((line) => line.width > 0 && line.height <= down) };
  }),
  wide: document.documentElement.scrollWidth,
})`;

/** Of every second one request in time, one that takes a second, and in the middle of the run one that is shed. */
function resultsOf(seconds: number): readonly Result[] {
  const base = { client: 0, budgetMs: 5000, status: 200, ending: 'answered', ms: 20, fault: null } as const;
  return Array.from({ length: seconds }, (_, second): readonly Result[] => [
    { ...base, atMs: second * 1000 },
    { ...base, atMs: second * 1000 + 300, ms: 1000 },
    ...(second > seconds / 3 && second < seconds / 2 ? [{ ...base, atMs: second * 1000 + 500, status: 503, ending: 'shed', ms: 2 } as const] : []),
  ]).flat();
}

describe('the report of a load test in a real browser', function suite() {
  this.timeout(300_000);
  const browser = useBrowser();
  const folder = mkdtempSync(path.join(tmpdir(), 'braid-report-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is one file that shows every scenario with charts one can read, on a screen and on a telephone, and asks for nothing else', async () => {
    const facts = { capacity: 100, refunded: 0, probes: { asked: 10, others: 0, p99Ms: 12 }, samples: [], refill: null };
    const outcomes = SCENARIOS.map((scenario) => {
      const summary = summarise(scenario, resultsOf(scenario.steps.reduce((sum, { seconds }) => sum + seconds, 0)));
      return { scenario, capacity: 100, summary, verdicts: scenario.checks.map((check) => judge(check, summary, facts)) };
    });
    const file = path.join(folder, 'report.html');
    writeFileSync(file, reportHtml('Braid under load', ['A fact with <angles> & more.'], outcomes));
    const { page, complaints } = await browser.open(pathToFileURL(file).href);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const width of [1280, 390]) {
      await page.setViewport({ width, height: 800 });
      await page.reload();
      const seen = (await page.evaluate(LOOK)) as Seen;
      expect(seen.title).to.equal('Braid under load');
      expect(seen.text)
        .to.include('A fact with <angles> & more.')
        .and.not.match(/NaN|Infinity|undefined/);
      expect(seen.headings).to.deep.equal(SCENARIOS.map(({ name }) => name));
      expect(seen.boxes).to.have.length(2 * SCENARIOS.length);
      for (const { across, down, lines, inside } of seen.boxes) {
        expect(across, `${width}`).to.be.at.least(250);
        expect(down).to.be.at.least(80);
        expect(lines).to.be.at.least(2);
        expect(inside).to.equal(true);
      }
      expect(seen.wide, 'nothing to scroll sideways for').to.be.at.most(width);
    }
    // Every link leads to a place of the page.
    const dead = await page.evaluate(
      '[...document.querySelectorAll("a")].map((link) => link.hash.slice(1)).filter((id) => document.getElementById(id) === null)',
    );
    expect(dead).to.deep.equal([]);
    expect(asked.filter((url) => !url.startsWith('file:'))).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });
});
