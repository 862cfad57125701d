import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { asciiTrim } from '../units/units.ts';

/**
 * Which peers may speak for others in X-Forwarded-For: the number of proxies in front of the service, or the networks they are in (CIDR or single
 * addresses). There is no "trust all": with it the left-most entry would win, which any caller can write.
 */
export type ProxyTrust = { readonly hops: number } | { readonly networks: readonly Network[] };

type Network = readonly [ipaddr.IPv4, number] | readonly [ipaddr.IPv6, number];

/** The trust that a configuration asks for: hops, or addresses and CIDR blocks. Throws TypeError on a block that is none: the configuration was checked. */
export function proxyTrustOf(setting: number | readonly string[]): ProxyTrust {
  if (typeof setting === 'number') return { hops: setting };
  return {
    networks: setting.map((text) => {
      const network = parseNetwork(text);
      if (network === null) throw new TypeError(`no address or CIDR block: ${text.slice(0, 60)}`);
      return network;
    }),
  };
}

/** A network from '10.0.0.0/8', '2001:db8::/32' or a single address; null when it is none. */
function parseNetwork(text: string): Network | null {
  const [address = '', bits, rest] = text.split('/');
  if (rest !== undefined || isIP(address) === 0) return null;
  const parsed = ipaddr.process(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? most : /^[0-9]{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (!(length >= 0 && length <= most)) return null;
  return parsed instanceof ipaddr.IPv4 ? [parsed, length] : [parsed, length];
}

/**
 * The address that a request is metered by: the socket's, or the right-most address of X-Forwarded-For that is not a trusted proxy's. An entry that is
 * not an address ends the walk: what is to its left can not be trusted. IPv4-mapped addresses are unwrapped; IPv6 clients are named by their /64, the
 * smallest block that one customer gets.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined, trust: ProxyTrust): string {
  let client = parseAddress(peer ?? '');
  if (client === null) return 'unknown';
  if (forwardedFor !== undefined && !trustsNobody(trust)) {
    const entries = forwardedFor.split(',');
    for (let hop = 0; entries.length > 0 && isTrusted(client, hop, trust); hop++) {
      const next = parseAddress(asciiTrim(entries.pop() ?? ''));
      if (next === null) break;
      client = next;
    }
  }
  return client instanceof ipaddr.IPv4 ? client.toString() : blockOf64(client);
}

function trustsNobody(trust: ProxyTrust): boolean {
  return 'hops' in trust ? trust.hops === 0 : trust.networks.length === 0;
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, hop: number, trust: ProxyTrust): boolean {
  if ('hops' in trust) return hop < trust.hops;
  return trust.networks.some(([network, bits]) => {
    if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
    return network instanceof ipaddr.IPv6 && address.match(network, bits);
  });
}

/**
 * Accepts the forms that proxies write: bare, with a port, and IPv6 in brackets. Checked by isIP first: ipaddr.js would also take '1' and '0x7f.1'. The two disagree on zones and on dotted tails, so the
 * zone, which names an interface and no client, is cut off, and a dotted tail is written as the groups that it stands for.
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = /^\[([^\]]+)\](?::[0-9]{1,5})?$/.exec(text)?.[1] ?? /^([0-9.]+):[0-9]{1,5}$/.exec(text)?.[1] ?? text;
  if (isIP(bare) === 0) return null;
  const plain = withoutDottedTail(bare.split('%')[0] ?? '');
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : null;
}

function withoutDottedTail(address: string): string {
  const [, head, a, b, c, d] = /^(.*:)([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(address) ?? [];
  if (head === undefined) return address;
  const group = (high: string | undefined, low: string | undefined) => (Number(high) * 256 + Number(low)).toString(16);
  return `${head}${group(a, b)}:${group(c, d)}`;
}

function blockOf64(address: ipaddr.IPv6): string {
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
