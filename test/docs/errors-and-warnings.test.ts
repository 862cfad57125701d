import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ERRORS, RETRY_LATER } from '../../src/http/errors.ts';
import { WARNING_CODES } from '../../src/observe/label-values.ts';
import { ROOT } from '../support/source-files.ts';

const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const page = read('docs/errors-and-warnings.md');

/** Rows of the table below a heading: cells without backticks; every cell of a row but `empty` says something. */
function table(heading: string): readonly (readonly string[])[] {
  const section = page.split(new RegExp(`\n#+ ${heading}\n`))[1]?.split(/\n#+ /)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('docs/errors-and-warnings.md', () => {
  it('has every error of the code with its status and code, and no other', () => {
    const coded = Object.entries({ ...ERRORS, ...RETRY_LATER }).map(([name, error]) => `${error.status} ${name} ${'code' in error ? error.code : ''}`);
    expect(
      table('Errors')
        .map(([status, name, code]) => `${status} ${name} ${code}`)
        .sort(),
    ).to.deep.equal(coded.sort());
  });

  it('has every reason for which a token is refused, and no other', () => {
    const reasons = [...read('src/http/routes/token-message.ts').matchAll(/case '([a-z-]+)':/g)].map(([, reason]) => reason);
    expect(reasons).to.have.length.above(3);
    expect(
      table('Refused tokens')
        .map(([reason]) => reason)
        .sort(),
    ).to.deep.equal(reasons.sort());
  });

  it('has every warning of the interface, and no other', () => {
    const { properties } = JSON.parse(read('schemas/swap-warning.schema.json')) as { properties: { code: { enum: string[] } } };
    expect([...properties.code.enum].sort()).to.deep.equal([...WARNING_CODES].sort());
    expect(
      table('Warnings')
        .map(([code]) => code)
        .sort(),
    ).to.deep.equal([...WARNING_CODES].sort());
  });

  it('names errors that the contracts have, with their arguments', () => {
    const { abi } = JSON.parse(read('contracts/artifacts/Router.every.gen.json')) as { abi: Abi };
    const holder = JSON.parse(read('contracts/artifacts/AllowanceHolder.gen.json')) as { abi: Abi };
    const errors = [...abi, ...holder.abi]
      .filter(({ type }) => type === 'error')
      .map(({ name, inputs = [] }) => `${name}(${inputs.map((input) => input.name).join(', ')})`);
    const listed = table('When the transaction reverts').map(([error = '']) => error);
    expect(listed).to.have.length.above(5);
    expect(errors).to.include.members(listed);
  });

  it('says of each what to do', () => {
    for (const heading of ['Errors', 'Refused tokens', 'Warnings', 'When the transaction reverts']) {
      for (const row of table(heading))
        expect(
          [row.at(-1)?.length, row.at(-2)?.length].every((length = 0) => length > 5),
          row.join(' | '),
        ).to.equal(true);
    }
  });
});

type Abi = readonly { readonly type: string; readonly name?: string; readonly inputs?: readonly { readonly name: string }[] }[];
