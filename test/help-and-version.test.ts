import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { helpOrVersion } from '../src/help-and-version.ts';
import { ROOT } from './support/source-files.ts';

describe('--help and --version of npm start', () => {
  it('are answered whatever else is given', () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(helpOrVersion(['--version'])).to.equal(version);
    for (const argv of [['--help'], ['-h'], ['--config', 'x', '--help'], ['--help', '--version']]) {
      expect(helpOrVersion(argv), argv.join(' ')).to.include('--config FILE').and.include('--pool-set FILE');
    }
  });

  it('are not seen in what has another meaning', () => {
    for (const argv of [[], ['--config', 'help'], ['--pool-set=--help'], ['help'], ['--', '--help']])
      expect(helpOrVersion(argv), argv.join(' ')).to.equal(null);
  });
});
