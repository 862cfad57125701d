import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address of a machine; one of IPv4 that is written as IPv6 (::ffff:a.b.c.d) is the one of IPv4. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses: one of them, and how many of its leading bits all of them share. */
export type IpNetwork = readonly [IpAddress, number];

/** How many bits the prefix of IPv4 in IPv6, ::ffff:0:0/96, has. */
const MAPPED_BITS = 96;

/**
 * An address as sockets and proxies write it; null where it is none. Checked by isIP first: ipaddr.js would also take '1' and '0x7f.1'. The two disagree on zones and on dotted tails, so the zone, which names an
 * interface and no machine, is cut off, and a dotted tail is written as the groups that it stands for: ipaddr.js would take ::10.0.0.1 for 10.0.0.1, which is another machine's.
 */
export function parseIpAddress(text: string): IpAddress | null {
  if (isIP(text) === 0) return null;
  const plain = withoutDottedTail(text.split('%')[0] ?? '');
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : null;
}

/** A network from '10.0.0.0/8', '2001:db8::/32' or a single address; null where it is none. */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [written = ''] = text.split('/', 1);
  const address = parseIpAddress(written);
  if (address === null) return null;
  const whole = address instanceof ipaddr.IPv4 ? 32 : 128;
  if (written === text) return [address, whole];
  if (!ipaddr.isValidCIDR(text)) return null;
  const [, bits] = ipaddr.parseCIDR(text);
  const shared = isIP(written) === 6 && whole === 32 ? bits - MAPPED_BITS : bits;
  return shared < 0 ? null : [address, shared];
}

/** Whether an address is in a network. None of IPv4 is in one of IPv6, nor the other way round. */
export function isWithin(address: IpAddress, [network, bits]: IpNetwork): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Whether who binds to this host is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || parseIpAddress(host)?.range() === 'loopback';
}

function withoutDottedTail(address: string): string {
  const [, head, a, b, c, d] = /^(.*:)([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(address) ?? [];
  if (head === undefined) return address;
  const group = (high: string | undefined, low: string | undefined) => (Number(high) * 256 + Number(low)).toString(16);
  return `${head}${group(a, b)}:${group(c, d)}`;
}
