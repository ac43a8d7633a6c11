/**
 * Addresses that a source may be fetched from. Loopback, private, link-local and other special ranges (IANA
 * special-purpose registries, RFC 6890) are refused unless the setting allows local sources. IPv6 forms that
 * embed an IPv4 address are refused as a whole.
 */
import { BlockList, isIP } from 'node:net';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

type AddressRange = readonly [address: string, prefix: number];

const specialV4: AddressRange[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
];

/** Only 2000::/3 is global unicast; the first three ranges cover the rest. */
const specialV6: AddressRange[] = [
  ['::', 3], // ::, ::1, ::127.0.0.1, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48, 100::/64
  ['4000::', 2],
  ['8000::', 1], // fc00::/7, fe80::/10, ff00::/8
  ['2001::', 23], // Teredo and other protocol assignments
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
];

/** Never a host: refused whatever the settings. */
const neverV4: AddressRange[] = [
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const neverV6: AddressRange[] = [['ff00::', 8]];

const special = { 4: listOf(specialV4, 'ipv4'), 6: listOf(specialV6, 'ipv6') };
const never = { 4: listOf(neverV4, 'ipv4'), 6: listOf(neverV6, 'ipv6') };

/** @param address IP address, IPv6 optionally in brackets; other text is refused */
export function isAllowedAddress(address: string, allowLocal: boolean): boolean {
  const bare = withoutBrackets(address);
  if (!allowLocal && isOwnNetwork(bare)) return false;
  const lists = allowLocal ? never : special;
  if (isIP(bare) === 4) return !lists[4].check(bare, 'ipv4');
  return isIP(bare) === 6 && !lists[6].check(bare, 'ipv6');
}

/**
 * True for this machine's addresses, and for IPv6 addresses in its networks, where neighbours have public
 * addresses too. Interfaces are read at each call, since networks change.
 */
export function isOwnNetwork(
  address: string,
  interfaces: Iterable<Pick<NetworkInterfaceInfo, 'family' | 'address' | 'cidr'>> = here(),
): boolean {
  const own = new BlockList();
  for (const { family, address: interfaceAddress, cidr } of interfaces) {
    const prefix = Number(cidr?.split('/')[1] ?? 128);
    if (family === 'IPv4') own.addAddress(interfaceAddress, 'ipv4');
    else own.addSubnet(interfaceAddress, Math.max(prefix, widestNetwork), 'ipv6');
  }
  const family = isIP(address);
  return family !== 0 && own.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const here = () => Object.values(networkInterfaces()).flatMap((some) => some ?? []);

/** Widest prefix a provider assigns to one customer. */
const widestNetwork = 48;

/** Host name of a URL without the brackets of IPv6. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** One family per list: in a mixed one, IPv6 ranges would match mapped IPv4 addresses. */
function listOf(ranges: AddressRange[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}
