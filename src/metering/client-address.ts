import { type IpAddress, type IpNetwork, isWithin, parseIpAddress, parseIpNetwork } from '../ip-network.ts';
import { asciiTrim } from '../units/units.ts';

/**
 * Which peers may speak for others in X-Forwarded-For: the number of proxies in front of the service, or the networks they are in (CIDR or single
 * addresses). There is no "trust all": with it the left-most entry would win, which any caller can write.
 */
export type ProxyTrust = { readonly hops: number } | { readonly networks: readonly IpNetwork[] };

/** The trust that a configuration asks for: hops, or addresses and CIDR blocks. Throws TypeError on a block that is none: the configuration was checked. */
export function proxyTrustOf(setting: number | readonly string[]): ProxyTrust {
  if (typeof setting === 'number') return { hops: setting };
  return {
    networks: setting.map((text) => {
      const network = parseIpNetwork(text);
      if (network === null) throw new TypeError(`no address or CIDR block: ${text.slice(0, 60)}`);
      return network;
    }),
  };
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
  return client.kind() === 'ipv4' ? client.toString() : blockOf64(client);
}

function trustsNobody(trust: ProxyTrust): boolean {
  return 'hops' in trust ? trust.hops === 0 : trust.networks.length === 0;
}

function isTrusted(address: IpAddress, hop: number, trust: ProxyTrust): boolean {
  return 'hops' in trust ? hop < trust.hops : trust.networks.some((network) => isWithin(address, network));
}

/** Accepts the forms that proxies write: bare, with a port, and IPv6 in brackets. */
function parseAddress(text: string): IpAddress | null {
  return parseIpAddress(/^\[([^\]]+)\](?::[0-9]{1,5})?$/.exec(text)?.[1] ?? /^([0-9.]+):[0-9]{1,5}$/.exec(text)?.[1] ?? text);
}

function blockOf64(address: IpAddress): string {
  const groups = address.toByteArray();
  return `${[0, 2, 4, 6].map((at) => ((groups[at] ?? 0) * 256 + (groups[at + 1] ?? 0)).toString(16)).join(':')}::/64`;
}
