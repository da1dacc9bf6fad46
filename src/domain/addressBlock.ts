import ipaddr from 'ipaddr.js';

/**
 * What counts as one address when attempts are counted: an IPv4 address, or the /64 that one IPv6 customer is
 * given.
 */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}
