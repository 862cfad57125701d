import { expect } from 'chai';
import { parseArguments, USAGE } from '../../src/offline/offline.ts';

const FILES = ['--pools', 'p.json', '--requests', 'r.json'];

describe('the command line of the offline solver', () => {
  it('takes the two files and leaves the rest at its defaults', () => {
    expect(parseArguments(FILES)).to.deep.equal({
      ok: true,
      arguments: { pools: 'p.json', requests: 'r.json', blocks: null, clearArbitrage: false, json: false, limit: null, every: 1, defaults: {} },
    });
  });

  it('hands options on as the query parameters that requests without them get', () => {
    const parsed = parseArguments([
      ...FILES,
      '--json',
      '--blocks=b.json',
      '--max-hops',
      '3',
      '--gas-price-gwei',
      '0.5',
      '--time-limit-ms',
      '500',
      '--clear-arbitrage',
      '--limit',
      '10',
      '--every',
      '7',
    ]);
    expect(parsed).to.deep.equal({
      ok: true,
      arguments: {
        pools: 'p.json',
        requests: 'r.json',
        blocks: 'b.json',
        clearArbitrage: true,
        json: true,
        limit: 10,
        every: 7,
        defaults: { maxHops: '3', timeLimitMs: '500', gasPriceGwei: '0.5' },
      },
    });
  });

  const wrong: [readonly string[], string][] = [
    [[], '--pools FILE is missing'],
    [['--pools', 'p.json'], '--requests FILE is missing'],
    [[...FILES, '--clear-arbitrage=yes'], '--clear-arbitrage'],
    [[...FILES, '--nonsense=1'], '--nonsense'],
    [[...FILES, 'stray'], 'stray'],
    [[...FILES, '--limit'], '--limit'],
    [[...FILES, '--max-hops', '0'], "--max-hops is '0'; an integer from 1 to 7"],
    [[...FILES, '--max-hops', '8'], '--max-hops'],
    [[...FILES, '--max-hops', '2.5'], '--max-hops'],
    [[...FILES, '--limit', '1e3'], '--limit'],
    [[...FILES, '--limit', '0'], '--limit'],
    [[...FILES, '--every', '-1'], '--every'],
    [[...FILES, '--time-limit-ms', '49'], '--time-limit-ms'],
    [[...FILES, '--time-limit-ms', '5001'], '--time-limit-ms'],
    [[...FILES, '--gas-price-gwei', '0'], "--gas-price-gwei is '0'; a number above 0"],
    [[...FILES, '--gas-price-gwei', 'Infinity'], '--gas-price-gwei'],
    [[...FILES, '--gas-price-gwei', '0x10'], '--gas-price-gwei'],
  ];
  for (const [argv, message] of wrong) {
    it(`refuses ${argv.slice(4).join(' ') || argv.join(' ') || 'an empty line'} with a message`, () => {
      const parsed = parseArguments(argv);
      expect(parsed.ok).to.equal(false);
      expect(parsed.ok ? '' : parsed.kind).to.equal('usage');
      expect(parsed.ok ? '' : parsed.message).to.contain(message);
    });
  }

  it('shows its usage on --help, which names every option it takes', () => {
    const parsed = parseArguments(['--help']);
    expect(parsed.ok ? '' : parsed.kind).to.equal('help');
    for (const option of ['pools', 'requests', 'blocks', 'json', 'max-hops', 'gas-price-gwei', 'time-limit-ms', 'every', 'limit', 'help']) {
      expect(USAGE).to.contain(`--${option} `);
    }
  });
});
