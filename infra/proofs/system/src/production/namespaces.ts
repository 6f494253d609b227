import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usersWithExim } from './exim.ts';
import { LINKS, NAME_SERVER, SERVED } from './hosts.data.ts';

export interface Namespaces {
  /** Where the services run; its only way out leads to the other one. */
  readonly site: string;
  /** Where all other hosts are. */
  readonly internet: string;
  readonly remove: () => void;
}

/** Where `ip netns exec` finds the files that replace those of /etc (ip-netns(8)). */
const CONFIGURATION = '/etc/netns';

const ip = (...options: readonly string[]): void =>
  void execFileSync('ip', options, { stdio: ['ignore', 'ignore', 'pipe'] });

const bare = (address: string): string => address.split('/')[0]!;

/** Host addresses need no duplicate detection, which takes two seconds and more. */
const addAddress = (namespace: string, address: string, device: string): void =>
  ip('-n', namespace, 'address', 'add', address, 'dev', device, ...(address.includes(':') ? ['nodad'] : []));

function connect(site: string, internet: string): void {
  ip('link', 'add', 'wire', 'netns', site, 'type', 'veth', 'peer', 'name', 'wire', 'netns', internet);
  for (const link of LINKS) {
    addAddress(site, link.site, 'wire');
    addAddress(internet, link.internet, 'wire');
  }
  for (const namespace of [site, internet])
    for (const device of ['lo', 'wire']) ip('-n', namespace, 'link', 'set', device, 'up');
  for (const { internet: gateway } of LINKS)
    ip('-n', site, 'route', 'add', 'default', 'via', bare(gateway), 'dev', 'wire');
  for (const address of SERVED) addAddress(internet, address, 'lo');
}

/**
 * Makes two network namespaces that are connected with each other and with nothing else. Programs in them ask the name
 * server of the proof. @throws Error that says what is missing
 */
export function createNamespaces(): Namespaces {
  if (process.getuid?.() !== 0) throw new Error('needs root, to make network namespaces');
  const site = `forecourt-site-${process.pid}`;
  const internet = `forecourt-internet-${process.pid}`;
  const made: string[] = [];
  const remove = () => {
    for (const namespace of made.splice(0)) {
      rmSync(join(CONFIGURATION, namespace), { recursive: true, force: true });
      ip('netns', 'delete', namespace);
    }
  };
  try {
    for (const namespace of [site, internet]) {
      ip('netns', 'add', namespace);
      made.push(namespace);
      mkdirSync(join(CONFIGURATION, namespace), { recursive: true });
      writeFileSync(join(CONFIGURATION, namespace, 'resolv.conf'), `nameserver ${NAME_SERVER}\n`);
    }
    for (const [file, text] of Object.entries(usersWithExim()))
      writeFileSync(join(CONFIGURATION, internet, file), text);
    connect(site, internet);
  } catch (error) {
    remove();
    const { code, stderr } = error as { code?: string; stderr?: Buffer };
    const reason = code === 'ENOENT' ? 'there is no `ip` (iproute2)' : String(stderr ?? error).trim();
    throw new Error(`network namespaces can't be made: ${reason}`, { cause: error });
  }
  return { site, internet, remove };
}
