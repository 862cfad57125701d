import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { contractTests } from '../../scripts/mutation/solidity/contract-tests.ts';
import { changesOf } from '../../scripts/mutation/solidity/operators.ts';
import { ROOT } from '../support/source-files.ts';

/** Every text that one change makes of a line, by operator. */
function made(text: string): readonly string[] {
  return changesOf(text).map(({ start, end, mutator, replacement }) => `${mutator}: ${text.slice(0, start)}${replacement}${text.slice(end)}`);
}

describe('mutation testing of the contracts', () => {
  it('changes bounds, arithmetic, guards, branches, choices and statements, one place at a time', () => {
    expect(made('if (a < b) revert Few(a);')).to.have.members(['bound: if (a <= b) revert Few(a);', 'guard never: if (false) revert Few(a);']);
    expect(made('uint256 c = a + b * d;')).to.have.members(['arithmetic: uint256 c = a - b * d;', 'arithmetic: uint256 c = a + b / d;']);
    expect(made('if (!ok) return c;')).to.have.members([
      'negation: if (ok) return c;',
      'branch never: if (false) return c;',
      'branch always: if (true) return c;',
    ]);
    expect(made('x = a == b ? c : d;')).to.have.members(['equality: x = a != b ? c : d;', 'choice: x = false ? c : d;', 'choice: x = true ? c : d;']);
    expect(made('    pay(to, 1);')).to.deep.equal(['statement:     ']);
    expect(made('    held -= spent;')).to.have.members(['statement:     ', 'assignment:     held += spent;']);
    expect(made('ok && other')).to.deep.equal(['logic: ok || other']);
  });

  it('leaves comments, texts, declarations and the permanent numbers of legs alone', () => {
    expect(made('/// a < b and c + d')).to.deep.equal([]);
    expect(made('string x = "a < b";')).to.deep.equal([]);
    expect(made('error TooMuch(uint256 a);')).to.deep.equal([]);
    expect(made('import {A} from "./a - b.sol";')).to.deep.equal([]);
  });

  it('tries suites that exist', () => {
    const files = readdirSync(path.join(ROOT, 'contracts'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sol'));
    const suites = new Set(files.flatMap(contractTests));
    expect([...suites].filter((suite) => !existsSync(path.join(ROOT, suite)))).to.deep.equal([]);
    expect(suites.size).to.be.greaterThan(10);
  });

  it('what is left out as changing nothing is still in the code, and says why', () => {
    const known = JSON.parse(readFileSync(path.join(ROOT, 'scripts/mutation/solidity/equivalent.json'), 'utf8')) as {
      file: string;
      original: string;
      why: string;
    }[];
    const stale = known.filter(({ file, original, why }) => why.length < 20 || !readFileSync(path.join(ROOT, file), 'utf8').includes(original));
    expect(stale).to.deep.equal([]);
  });
});
