import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/source-files.ts';

type LockedPackage = { readonly license?: string; readonly dev?: boolean; readonly optional?: boolean };

const PERMISSIVE = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'CC0-1.0', 'Python-2.0', 'BlueOak-1.0.0', 'Unlicense']);

describe('licences', () => {
  it('every runtime dependency is under a permissive licence; copyleft artifacts are dev dependencies only', () => {
    const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
    const runtime = Object.entries(packages).filter(([name, { dev }]) => name !== '' && dev !== true);
    expect(runtime.length).to.be.greaterThan(20);
    const terms = (licence: string) => licence.replaceAll(/[()]/g, '').split(' OR ');
    expect(
      runtime.filter(([, { license = 'none' }]) => !terms(license).some((one) => PERMISSIVE.has(one))).map(([name, { license }]) => `${name}: ${license}`),
    ).to.deep.equal([]);
  });
});
