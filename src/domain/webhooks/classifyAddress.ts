import ipaddr from 'ipaddr.js';

/** Whether webhooks may be sent to an address, and the reason if not. */
export type AddressClass = 'public' | 'loopback' | 'forbidden';

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

const v4 = (text: string): Cidr => ipaddr.IPv4.parseCIDR(text);
const v6 = (text: string): Cidr => ipaddr.IPv6.parseCIDR(text);

/** IANA's special-purpose IPv4 registry, and addresses that exist only inside a cloud. */
const FORBIDDEN_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, with a cloud's metadata at 100.100.100.200
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata of most clouds at 169.254.169.254
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, with a cloud's metadata at 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '168.63.129.16/32', // a cloud's platform endpoint, outside every reserved range
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map(v4);

/** Within 2000::/3. Everything outside it is refused. */
const FORBIDDEN_V6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID, AMT, AS112, drone ids
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(v6);

/**
 * IPv6 global unicast (RFC 4291), without mapped, compatible and translated IPv4, NAT64, ULA, link-local and
 * multicast.
 */
const GLOBAL_UNICAST = v6('2000::/3');
const LOOPBACK_V4 = v4('127.0.0.0/8');

/**
 * Classifies the address that a socket would connect to.
 *
 * @param address dotted decimal, or IPv6 with or without a zone. Other text is `forbidden`, and so is an
 *   address that is not known to be globally reachable.
 */
export function classifyAddress(address: string): AddressClass {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return classifyV4(ipaddr.IPv4.parse(address));
  if (ipaddr.IPv6.isValid(address)) return classifyV6(ipaddr.IPv6.parse(address));
  return 'forbidden';
}

function classifyV4(address: ipaddr.IPv4): AddressClass {
  if (address.match(LOOPBACK_V4 as [ipaddr.IPv4, number])) return 'loopback';
  return FORBIDDEN_V4.some((range) => address.match(range as [ipaddr.IPv4, number])) ? 'forbidden' : 'public';
}

function classifyV6(address: ipaddr.IPv6): AddressClass {
  if (address.isIPv4MappedAddress())
    return address.toIPv4Address().range() === 'loopback' ? 'loopback' : 'forbidden';
  if (address.range() === 'loopback') return 'loopback';
  if (address.zoneId !== undefined || !address.match(GLOBAL_UNICAST as [ipaddr.IPv6, number]))
    return 'forbidden';
  if (isIsatap(address)) return 'forbidden';
  return FORBIDDEN_V6.some((range) => address.match(range as [ipaddr.IPv6, number])) ? 'forbidden' : 'public';
}

/** ISATAP (RFC 5214): interface id `0000:5efe` or `0200:5efe`, then the IPv4 address of the tunnel. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , fifth, sixth] = address.parts;
  return sixth === 0x5efe && (fifth === 0 || fifth === 0x0200);
}
