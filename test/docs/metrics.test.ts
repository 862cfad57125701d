import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { createMetrics } from '../../src/observe/observe.ts';
import { ROOT } from '../support/source-files.ts';

type Declared = { readonly name: string; readonly labelNames: readonly string[] };

describe('the table of metrics in README', () => {
  it('names every metric of the registry with its type and labels, and no other', () => {
    const chains = [{ chainId: 1, name: 'ethereum', rpcEndpoints: 1 }];
    const { registry } = createMetrics({ version: '0', mode: 'test', chains, venues: ['uniswap_v2'], defaults: false });
    const declared = (registry.getMetricsAsArray() as unknown as (Declared & object)[]).map((metric) => {
      const labels = metric.labelNames.filter((label) => label !== 'le').map((label) => `\`${label}\``);
      return [`\`${metric.name}\``, metric.constructor.name.toLowerCase(), labels.join(', ')];
    });
    const section = readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('\n## Metrics\n')[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.map((row) =>
      row
        .split('|')
        .slice(1, 4)
        .map((cell) => cell.trim()),
    );
    expect(listed).to.have.deep.members(declared);
  });
});
