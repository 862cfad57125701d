import { isIP } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { clientAddress, type ProxyTrust, proxyTrustOf } from '../../src/metering/client-address.ts';
import { SEED } from '../support/seeded-random.ts';

const NOBODY = proxyTrustOf(0);

describe('the address a request is metered by', () => {
  const rows: readonly (readonly [string, string | undefined, string | undefined, ProxyTrust, string])[] = [
    ['the socket, when nobody is trusted', '203.0.113.7', '1.1.1.1', NOBODY, '203.0.113.7'],
    ['an IPv4-mapped socket unwrapped', '::ffff:203.0.113.7', undefined, NOBODY, '203.0.113.7'],
    ['IPv6 by /64', '2001:db8:1:2:aaaa::1', undefined, NOBODY, '2001:db8:1:2::/64'],
    ['another host of the same /64 is the same client', '2001:db8:1:2:ffff:ffff:ffff:ffff', undefined, NOBODY, '2001:db8:1:2::/64'],
    ['the next /64 is another client', '2001:db8:1:3::1', undefined, NOBODY, '2001:db8:1:3::/64'],
    ['loopback of IPv6', '::1', undefined, NOBODY, '0:0:0:0::/64'],
    ['a link-local address with its zone', 'fe80::1%eth0', undefined, NOBODY, 'fe80:0:0:0::/64'],
    ['one hop: the right-most entry', '10.0.0.1', '6.6.6.6, 203.0.113.9', proxyTrustOf(1), '203.0.113.9'],
    ['two hops: the entry before the inner proxy', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', proxyTrustOf(2), '203.0.113.9'],
    ['more hops than entries: the left-most that is there', '10.0.0.1', '203.0.113.9', proxyTrustOf(3), '203.0.113.9'],
    ['one hop and no header: the proxy itself', '10.0.0.1', undefined, proxyTrustOf(1), '10.0.0.1'],
    ['networks: the right-most address outside of them', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.1.2.3', proxyTrustOf(['10.0.0.0/8']), '203.0.113.9'],
    ['networks: a peer outside of them speaks for nobody', '203.0.113.1', '6.6.6.6', proxyTrustOf(['10.0.0.0/8']), '203.0.113.1'],
    ['networks: a mapped peer counts as its IPv4 address', '::ffff:10.0.0.1', '203.0.113.9', proxyTrustOf(['10.0.0.0/8']), '203.0.113.9'],
    [
      'networks: an address of IPv6 with the digits of a trusted one is not that one',
      '::10.0.0.1',
      '203.0.113.9',
      proxyTrustOf(['10.0.0.0/8']),
      '0:0:0:0::/64',
    ],
    ['networks: one of IPv4 written as IPv6', '10.0.0.1', '203.0.113.9', proxyTrustOf(['::ffff:10.0.0.0/104']), '203.0.113.9'],
    ['networks: IPv6', 'fd00::1', '2001:db8::5', proxyTrustOf(['fd00::/8']), '2001:db8:0:0::/64'],
    ['networks: a single address', '10.0.0.1', '203.0.113.9', proxyTrustOf(['10.0.0.1']), '203.0.113.9'],
    ['all trusted: the left-most', '10.0.0.1', '10.0.0.3, 10.0.0.2', proxyTrustOf(['10.0.0.0/8']), '10.0.0.3'],
    ['an entry that is no address ends the walk', '10.0.0.1', '203.0.113.9, unknown', proxyTrustOf(['10.0.0.0/8']), '10.0.0.1'],
    ['an entry that ipaddr.js would take but is none', '10.0.0.1', '0x7f.1', proxyTrustOf(1), '10.0.0.1'],
    ['an entry with a port', '10.0.0.1', '203.0.113.9:4711', proxyTrustOf(1), '203.0.113.9'],
    ['an IPv6 entry in brackets with a port', '10.0.0.1', '[2001:db8::5]:4711', proxyTrustOf(1), '2001:db8:0:0::/64'],
    ['a dotted tail that is no IPv4-mapped address', '10.0.0.1', '64:ff9b::1.2.3.4', proxyTrustOf(1), '64:ff9b:0:0::/64'],
    ['a zone with any name, on a socket', 'fe80::1%br-abc.100', undefined, NOBODY, 'fe80:0:0:0::/64'],
    ['an empty header', '10.0.0.1', '', proxyTrustOf(1), '10.0.0.1'],
    ['a socket that is gone', undefined, '203.0.113.9', proxyTrustOf(1), 'unknown'],
  ];
  for (const [title, peer, forwarded, trust, expected] of rows) {
    it(title, () => expect(clientAddress(peer, forwarded, trust)).to.equal(expected));
  }

  it('has a name for whatever the socket or a proxy says', () => {
    const part = fc.constantFrom('::', ':', '1', 'ffff', 'fe80', '1.2.3.4', '%', 'eth0', '-', '.', '[', ']', ':80', '%a:b', '0', 'x');
    const text = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.ipV6(), fc.ipV4()), (written) => {
        expect(clientAddress('10.0.0.1', written, proxyTrustOf(1))).to.match(/^[0-9a-f.:]+(\/64)?$/);
        expect(clientAddress(written, undefined, NOBODY)).to.match(/^([0-9a-f.:]+(\/64)?|unknown)$/);
        if (isIP(written) !== 0) expect(clientAddress(written, undefined, NOBODY)).to.not.equal('unknown');
      }),
      { seed: SEED, numRuns: 5000 },
    );
  });

  it('refuses a trust that is no network', () => {
    for (const text of ['10.0.0.0/33', 'example.org', '10.0.0.0/8/9', '::/129', '']) expect(() => proxyTrustOf([text]), text).to.throw(TypeError);
  });
});
