import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';

/** Stands for the default gateway: where the connections of the host of a container come from. */
const GATEWAY = 'gateway';

const parse = (network: string): [address: string, prefix?: number] => {
  const [address = '', prefix] = network.split('/');
  return prefix === undefined ? [address] : [address, /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN];
};

/** Whether a text is an address, a network in CIDR notation, or `gateway`. */
export function isNetwork(text: string): boolean {
  const [address, prefix = 0] = parse(text);
  return text === GATEWAY || (isIP(address) !== 0 && prefix <= (isIP(address) === 4 ? 32 : 128));
}

/** Makes the list of the addresses in some networks. */
export function makeBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks.map((each) => (each === GATEWAY ? readGateway() : each))) {
    const [address, prefix] = parse(network ?? '');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) continue;
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return list;
}

/** Reads the default gateway of Linux, in hexadecimal digits from the last byte to the first; undefined elsewhere. */
function readGateway(): string | undefined {
  try {
    const routes = readFileSync('/proc/net/route', 'utf8').split('\n');
    const [, , gateway] = routes.find((route) => route.split('\t')[1] === '00000000')?.split('\t') ?? [];
    return gateway && Buffer.from(gateway, 'hex').reverse().join('.');
  } catch {
    return undefined;
  }
}
