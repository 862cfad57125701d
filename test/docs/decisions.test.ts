import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { datesOf, indexOf, readDecision } from '../../scripts/decisions/decision-index.ts';
import { ROOT } from '../support/source-files.ts';

const folder = path.join(ROOT, 'docs/decisions');
const index = readFileSync(path.join(folder, 'README.md'), 'utf8');

describe('the index of the decisions', () => {
  it('has every decision with its day and state, and a row for every number', () => {
    const dates = datesOf(index);
    const decisions = readdirSync(folder)
      .filter((file) => file !== 'README.md')
      .sort()
      .map((file) => readDecision(file, readFileSync(path.join(folder, file), 'utf8')))
      .map((decision) => ({ ...decision, date: dates.get(decision.number) ?? 'unknown' }));
    expect(decisions.length).to.be.above(90);
    expect(
      decisions.filter(({ date }) => date === 'unknown').map(({ file }) => file),
      'run npm run decisions',
    ).to.deep.equal([]);
    expect(index, 'run npm run decisions').to.equal(indexOf(decisions));
    const numbers = [...index.matchAll(/^\| ([0-9]+) \|/gm)].map(([, number]) => Number(number));
    expect(numbers).to.deep.equal(numbers.map((_number, at) => at + 1));
  });

  it('says what was replaced, by what, and which numbers were not taken', () => {
    const decision = (number: number, replaces: readonly number[] = []) => ({
      file: `000${number}-x.md`,
      number,
      title: `T${number}`,
      replaces,
      date: `2026-01-0${number}`,
    });
    const rows = indexOf([decision(1), decision(2, [1, 3]), decision(5)])
      .split('\n')
      .filter((row) => /^\| [0-9]/.test(row));
    expect(rows).to.deep.equal([
      '| 1 | [T1](0001-x.md) | 2026-01-01 | replaced by 2 |',
      '| 2 | [T2](0002-x.md) | 2026-01-02 | in force |',
      '| 3 | | | replaced by 2, and gone |',
      '| 4 | | | not taken |',
      '| 5 | [T5](0005-x.md) | 2026-01-05 | in force |',
    ]);
    expect([...datesOf(rows.join('\n'))]).to.deep.equal([
      [1, '2026-01-01'],
      [2, '2026-01-02'],
      [5, '2026-01-05'],
    ]);
  });

  it('refuses a decision whose heading has another number than its file', () => {
    expect(() => readDecision('0007-x.md', '# 8. Title\n')).to.throw('0007-x.md');
    expect(readDecision('0007-x.md', '# 7. Title\n\nReplaces decision 5, by which.\n')).to.deep.include({ number: 7, title: 'Title', replaces: [5] });
  });
});
