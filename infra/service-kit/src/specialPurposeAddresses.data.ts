/** A network of the IANA registries of special-purpose addresses, or one that is reserved otherwise. */
export interface SpecialNetwork {
  readonly network: string;
  readonly prefix: number;
  /** Whether packets to it leave for the Internet. Inside of a network that doesn't, it is an exception. */
  readonly isGlobal: boolean;
  readonly name: string;
}

const row = (cidr: string, isGlobal: boolean, name: string): SpecialNetwork => {
  const [network = '', prefix = ''] = cidr.split('/');
  return { network, prefix: Number(prefix), isGlobal, name };
};

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast. */
export const SPECIAL_IPV4: readonly SpecialNetwork[] = [
  row('0.0.0.0/8', false, 'this network, RFC 791'),
  row('10.0.0.0/8', false, 'private use, RFC 1918'),
  row('100.64.0.0/10', false, 'shared address space, RFC 6598'),
  row('127.0.0.0/8', false, 'loopback, RFC 1122'),
  row('169.254.0.0/16', false, 'link local, RFC 3927'),
  row('172.16.0.0/12', false, 'private use, RFC 1918'),
  row('192.0.0.0/24', false, 'IETF protocol assignments, RFC 6890'),
  row('192.0.0.9/32', true, 'Port Control Protocol anycast, RFC 7723'),
  row('192.0.0.10/32', true, 'TURN anycast, RFC 8155'),
  row('192.0.2.0/24', false, 'documentation, RFC 5737'),
  row('192.31.196.0/24', true, 'AS112-v4, RFC 7535'),
  row('192.52.193.0/24', true, 'AMT, RFC 7450'),
  row('192.88.99.0/24', false, 'deprecated 6to4 relay anycast, RFC 7526'),
  row('192.168.0.0/16', false, 'private use, RFC 1918'),
  row('192.175.48.0/24', true, 'direct delegation AS112, RFC 7534'),
  row('198.18.0.0/15', false, 'benchmarking, RFC 2544'),
  row('198.51.100.0/24', false, 'documentation, RFC 5737'),
  row('203.0.113.0/24', false, 'documentation, RFC 5737'),
  row('224.0.0.0/4', false, 'multicast, RFC 5771'),
  row('240.0.0.0/4', false, 'reserved and broadcast, RFC 1112'),
];

/**
 * https://www.iana.org/assignments/iana-ipv6-special-registry, and multicast. IPv4 in `::ffff:0:0/96` and in
 * `64:ff9b::/96` is judged as IPv4.
 */
export const SPECIAL_IPV6: readonly SpecialNetwork[] = [
  row('::/96', false, 'unspecified, loopback and IPv4-compatible, RFC 4291'),
  row('::ffff:0:0:0/96', false, 'IPv4-translated, RFC 2765'),
  row('64:ff9b:1::/48', false, 'local IPv4/IPv6 translation, RFC 8215'),
  row('100::/64', false, 'discard only, RFC 6666'),
  row('100:0:0:1::/64', false, 'dummy prefix, RFC 9780'),
  row('2001::/23', false, 'IETF protocol assignments with Teredo, RFC 2928'),
  row('2001:1::1/128', true, 'Port Control Protocol anycast, RFC 7723'),
  row('2001:1::2/128', true, 'TURN anycast, RFC 8155'),
  row('2001:1::3/128', true, 'DNS-SD registration anycast, RFC 9665'),
  row('2001:3::/32', true, 'AMT, RFC 7450'),
  row('2001:4:112::/48', true, 'AS112-v6, RFC 7535'),
  row('2001:20::/28', true, 'ORCHIDv2, RFC 7343'),
  row('2001:30::/28', true, 'drone remote identification, RFC 9374'),
  row('2001:db8::/32', false, 'documentation, RFC 3849'),
  row('2002::/16', false, '6to4, RFC 3056'),
  row('2620:4f:8000::/48', true, 'direct delegation AS112, RFC 7534'),
  row('3fff::/20', false, 'documentation, RFC 9637'),
  row('5f00::/16', false, 'segment routing, RFC 9602'),
  row('fc00::/7', false, 'unique local, RFC 4193'),
  row('fe80::/10', false, 'link local, RFC 4291'),
  row('fec0::/10', false, 'deprecated site local, RFC 3879'),
  row('ff00::/8', false, 'multicast, RFC 4291'),
];
