import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { contractTests } from '../../scripts/mutation/solidity/contract-tests.ts';
import { readEquivalents } from '../../scripts/mutation/solidity/equivalents.ts';
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

  it('changes what is written in assembly: numbers, offsets, masks, comparisons, parts, arguments of calls, conditions and statements', () => {
    const assembly = (line: string) => made(`assembly ("memory-safe") {\n${line}\n}`).map((text) => text.split('\n')[1]);
    expect(assembly('    tstore(3, sub(remaining, asked))')).to.have.members(['    ', '    tstore(0x2, sub(remaining, asked))', '    tstore(3, remaining)']);
    expect(assembly('    let a := mload(add(0x40, b))')).to.have.members(['    let a := mload(0x40)', '    let a := mload(add(0x3f, b))']);
    expect(assembly('    let to := shr(96, shl(96, account))')).to.deep.equal(['    let to := account']);
    expect(assembly('    let bad := or(gt(a, b), eq(c, address()))')).to.have.members([
      '    let bad := gt(a, b)',
      '    let bad := eq(c, address())',
      '    let bad := or(lt(a, b), eq(c, address()))',
      '    let bad := or(gt(a, b), 0)',
    ]);
    expect(assembly('    if iszero(call(gas(), to, value, input, 0, 0, size)) { size := 0 }')).to.include.members([
      '    if 0 { size := 0 }',
      '    if call(gas(), to, value, input, 0, 0, size) { size := 0 }',
      '    if iszero(call(gas(), to, 0, input, 0, 0, size)) { size := 0 }',
      '    if iszero(call(gas(), to, value, 0, 0, 0, size)) { size := 0 }',
      '    if iszero(call(gas(), to, value, input, 0, 0, 0)) { size := 0 }',
    ]);
    // The pointer to free memory is a name; code that is not assembly has its own operators.
    expect(assembly('    let input := mload(0x40)')).to.deep.equal([]);
    expect(made('uint256 a = gt(0x40, b);')).to.deep.equal([]);
  });

  it('tries suites that exist', () => {
    const files = readdirSync(path.join(ROOT, 'contracts'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sol'));
    const suites = new Set(files.flatMap(contractTests));
    expect([...suites].filter((suite) => !existsSync(path.join(ROOT, suite)))).to.deep.equal([]);
    expect(suites.size).to.be.greaterThan(10);
  });

  it('what is left out as changing nothing is still a change of the code, and says why', () => {
    const stale = readEquivalents().filter(({ file, original, becomes, why }) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      const changes = made(text).map((broken) => broken.slice(broken.indexOf(': ') + 2).split('\n'));
      const isMade = changes.some((lines) => lines.some((line, at) => line.trim() === becomes && text.split('\n')[at]?.trim() === original));
      return why.length < 20 || !isMade;
    });
    expect(stale).to.deep.equal([]);
  });
});
