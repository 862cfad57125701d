import { expect } from 'chai';
import { Counter, Registry } from 'prom-client';
import sinon from 'sinon';
import { LIMITS } from '../../src/config/config.ts';
import { createScrapes } from '../../src/observe/scrapes.ts';

const { burst, perSecond } = LIMITS.http.scrapes;

describe('the text of a scrape', () => {
  let clock: sinon.SinonFakeTimers;
  let registry: Registry;
  let counter: Counter;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['performance'] });
    registry = new Registry();
    counter = new Counter({ name: 'asked_total', help: 'How often.', registers: [registry] });
  });
  afterEach(() => clock.restore());

  /** Takes one that tells apart whether it was made anew. */
  const shown = async (scrape: () => Promise<string>) => {
    const text = await scrape();
    return Number(/^asked_total (\d+)$/m.exec(text)?.[1]);
  };

  it('is made anew for each while they come no faster than they may, and then is the last one until it may be made again', async () => {
    const scrape = createScrapes(registry, () => counter.inc());
    for (let i = 1; i <= burst; i++) expect(await shown(scrape)).to.equal(i);
    for (let i = 0; i < 10; i++) expect(await shown(scrape)).to.equal(burst);
    clock.tick(1000 / perSecond - 1);
    expect(await shown(scrape)).to.equal(burst);
    clock.tick(1);
    expect(await shown(scrape)).to.equal(burst + 1);
    expect(await shown(scrape)).to.equal(burst + 1);
  });

  it('of ten scrapes a second for a minute is made no more than twice a second, and is never older than half of one', async () => {
    const madeAt: number[] = [];
    const scrape = createScrapes(registry, () => {
      madeAt.push(performance.now());
      counter.inc();
    });
    for (let i = 0; i < 600; i++) {
      const made = await shown(scrape);
      expect(performance.now() - (madeAt[made - 1] ?? Number.NaN)).to.be.at.most(1000 / perSecond);
      clock.tick(100);
    }
    expect(madeAt.length).to.be.within(60 * perSecond, 60 * perSecond + burst);
  });

  it('is made anew for whoever asks for that, however fast', async () => {
    const scrape = createScrapes(registry, () => counter.inc());
    for (let i = 1; i <= 3 * burst; i++) expect(await scrape(true)).to.include(`asked_total ${i}\n`);
    expect(await shown(scrape), 'who does not gets the last one').to.equal(3 * burst);
  });

  it('is made for who asks next where it could not be made', async () => {
    let fails = true;
    const scrape = createScrapes(registry, () => {
      if (fails) throw new Error('no gauge to read');
      counter.inc();
    });
    for (let i = 0; i < burst + 3; i++) expect(await scrape().catch((error: Error) => error.message)).to.equal('no gauge to read');
    fails = false;
    expect(await shown(scrape)).to.equal(1);
  });
});
