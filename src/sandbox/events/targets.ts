import { BlockList, isIP } from 'node:net';

const subnets = (...list: readonly (readonly [address: string, prefix: number])[]): BlockList => {
  const made = new BlockList();
  for (const [address, prefix] of list)
    made.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  return made;
};

const loopback = subnets(['127.0.0.0', 8], ['::1', 128]);

/**
 * Networks to which nothing is ever sent: link-local addresses, those by which clouds tell their machines secrets,
 * and those that name no machine at all. Addresses that carry another one inside (NAT64, 6to4) are a way around such
 * a list.
 */
const never = subnets(
  ['169.254.0.0', 16],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['0.0.0.0', 8],
  ['::', 128],
  ['224.0.0.0', 4],
  ['ff00::', 8],
  ['255.255.255.255', 32],
  ['64:ff9b::', 96],
  ['2002::', 16],
);

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

// Node holds an IPv4 address that is written as an IPv6 one against the IPv4 subnets.
const isIn = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

/** The host of an address without the brackets of IPv6; the URL has turned decimal and octal forms into the usual one. */
const hostOf = (uri: string): string => new URL(uri).hostname.replace(/^\[|\]$/g, '').toLowerCase();

const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** The reason why an address may never be sent to, if there is one, for the host of a URI as it stands. */
export function neverReached(uri: string): string | undefined {
  const host = hostOf(uri);
  if (isIP(host) === 0 || !isIn(never, host)) return undefined;
  return `${host} is a link-local, metadata or unusable address, to which nothing is sent`;
}

/** Tells whether an address names the machine that it is read on, for the host of a URI as it stands. */
export function isThisMachine(uri: string): boolean {
  const host = hostOf(uri);
  return isLocalName(host) || (isIP(host) !== 0 && isIn(loopback, host));
}

/** Decides where deliveries may go. */
export interface Targets {
  /** The reason why nothing is sent to a URI, before its name is looked up. */
  refusal(uri: string): string | undefined;
  /** Returns the reason why a host may not be reached at an address that its name was resolved to. */
  addressRefusal(host: string, address: string): string | undefined;
}

/** This machine alone may be reached, and the hosts that were allowed by name; some addresses never. */
export function targetsAllowing(hosts: readonly string[]): Targets {
  const allowed = new Set(hosts.map((host) => host.replace(/^\[|\]$/g, '').toLowerCase()));
  const addressRefusal = (host: string, address: string): string | undefined => {
    if (isIn(never, address)) return `${address} is a link-local, metadata or unusable address`;
    if (allowed.has(host.toLowerCase()) || isIn(loopback, address)) return undefined;
    return `${address} is not this machine; allow it with: sandbox start --allow-deliveries-to ${host}`;
  };
  return {
    addressRefusal,
    refusal(uri) {
      const host = hostOf(uri);
      if (isIP(host) !== 0) return addressRefusal(host, host);
      if (allowed.has(host) || isLocalName(host)) return undefined;
      // Names of others are not looked up: who only tries the sandbox asks nobody about them.
      return `${host} is not this machine; allow it with: sandbox start --allow-deliveries-to ${host}`;
    },
  };
}
