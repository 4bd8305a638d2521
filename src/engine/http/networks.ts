import { readFileSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Networks by name: of this machine's gateway, where the connections of the host of a container come from, and its own. */
const NAMED: Readonly<Record<string, () => readonly string[]>> = {
  gateway: readGateway,
  subnet: () =>
    Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.flatMap(({ cidr }) => cidr ?? [])),
};

function split(network: string): { address: string; prefix: number; maximum: number } {
  const [address = '', prefix, ...rest] = network.split('/');
  const maximum = isIPv6(address) ? 128 : 32;
  if (prefix === undefined) return { address, prefix: maximum, maximum };
  return { address, prefix: rest.length === 0 && /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN, maximum };
}

/** Whether a text is an address, a network in CIDR notation, `gateway`, or `subnet`. */
export function isNetwork(text: string): boolean {
  const { address, prefix, maximum } = split(text);
  return Object.hasOwn(NAMED, text) || (isIP(address) !== 0 && prefix <= maximum);
}

/** Makes the list of the addresses in some networks. The named ones are read from this machine. */
export function makeBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks.flatMap((each) => NAMED[each]?.() ?? each)) {
    const { address, prefix } = split(network);
    list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Reads the default gateway of Linux, in hexadecimal digits from the last byte to the first; none elsewhere. */
function readGateway(): readonly string[] {
  try {
    const routes = readFileSync('/proc/net/route', 'utf8').split('\n');
    const [, , gateway] = routes.find((route) => route.split('\t')[1] === '00000000')?.split('\t') ?? [];
    return gateway === undefined ? [] : [Buffer.from(gateway, 'hex').reverse().join('.')];
  } catch {
    return [];
  }
}
