import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/source-files.ts';

type Entry = { readonly name?: string; readonly dev?: boolean; readonly bin?: unknown };

/** Tools of development, by the names of their packages: each is a compiler, a chain, or a runner of tests. */
const TOOLS = ['typescript', 'esbuild', 'solc', '@foundry-rs/anvil', '@foundry-rs/forge', '@biomejs/biome', 'mocha'];

describe('a production install', () => {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { readonly packages: Readonly<Record<string, Entry>> };
  const named = (wanted: string) => Object.entries(packages).filter(([place, { name }]) => (name ?? place.split('node_modules/').at(-1)) === wanted);

  it('carries no compiler and no other tool: each is in the lock file, and for development alone', () => {
    for (const tool of TOOLS) {
      expect(named(tool), tool).to.not.deep.equal([]);
      // devOptional would be installed: where a library names TypeScript as an optional peer, what is there for development satisfies it.
      for (const [place, { dev }] of named(tool)) expect(dev, place).to.equal(true);
    }
  });

  it('is what the image is made of', () => {
    const dockerfile = readFileSync(path.join(ROOT, 'deploy', 'Dockerfile'), 'utf8');
    expect(dockerfile).to.match(/^RUN npm ci --omit=dev /m);
  });
});
