import { isIP } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { isLoopback, isWithin, parseIpAddress, parseIpNetwork } from '../src/ip-network.ts';
import { SEED } from './support/seeded-random.ts';

describe('networks of addresses', () => {
  it('are what is written as one, and nothing else', () => {
    const texts = ['10.0.0.0/8', '0.0.0.0/0', '10.0.0.1', '2001:db8::/32', '::/0', '::1', '::ffff:10.0.0.0/104', '64:ff9b::1.2.3.0/120'];
    for (const text of texts) expect(parseIpNetwork(text), text).to.not.equal(null);
    const none = [
      '',
      '/',
      '10/8',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0.0/8/9',
      '010.0.0.0/8',
      '0x0a.0.0.0/8',
      '::/129',
      '::ffff:10.0.0.0/95',
      'a/8',
      '10.0.0.0/1e1',
    ];
    for (const text of none) expect(parseIpNetwork(text), text).to.equal(null);
  });

  it('hold what shares their leading bits', () => {
    const bitsOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (one, other, bits) => {
        const [address, network] = [parseIpAddress(one), parseIpNetwork(`${other}/${bits}`)];
        if (address === null || network === null) throw new Error(`${one} ${other}/${bits}`);
        const size = 2 ** (32 - bits);
        expect(isWithin(address, network)).to.equal(Math.floor(bitsOf(one) / size) === Math.floor(bitsOf(other) / size));
        expect(isWithin(address, parseIpNetwork('::/0') ?? network), 'one of IPv6').to.equal(false);
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });

  it('are read from any text without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.ipV6(),
          fc.ipV4(),
          fc.tuple(fc.ipV6(), fc.string()).map((parts) => parts.join('/')),
        ),
        (text) => {
          expect(parseIpAddress(text) !== null).to.equal(isIP(text) !== 0);
          parseIpNetwork(text);
        },
      ),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('of this machine alone are known by any of its names', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) expect(isLoopback(host), host).to.equal(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.org', '', '1', '::127.0.0.1']) expect(isLoopback(host), host).to.equal(false);
  });
});
