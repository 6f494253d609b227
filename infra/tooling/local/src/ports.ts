import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { LocalError } from './localError.ts';

const HOST = '127.0.0.1';

/** The services of the stack, in the order in which they start, and the key that sets each one's port. */
const PORT_KEYS = {
  'marketplace-api': 'MARKETPLACE_API_PORT',
  'remote-registry': 'REGISTRY_PORT',
  identity: 'IDENTITY_PORT',
  shell: 'PORT',
} as const;
export type ServiceName = keyof typeof PORT_KEYS;
export type Ports = Readonly<Record<ServiceName, number>>;

/**
 * The ports from which a free one is taken: below those which Linux (32768) and
 * others (49152, RFC 6335) give to outgoing connections. One of those could be
 * gone between the look here and the start of the service.
 */
const FREE_PORTS = { from: 20_000, until: 32_768 };
const TRIES = 100;

/** Listens on a port for a moment; resolves with the port. Rejects with the system's error. */
const tryPort = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(port)));
  });

/** A port that was free a moment ago, and none of those that are spoken for. */
export async function freePort(spokenFor: readonly number[] = []): Promise<number> {
  for (let left = TRIES; ; left--) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.until);
    if (spokenFor.includes(port)) continue;
    try {
      return await tryPort(port);
    } catch (error) {
      if (left <= 1) throw error;
    }
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'is not for this user',
};

/**
 * Gives each service its port: the wanted one, or a free one where none (or 0) is wanted.
 * @throws LocalError PORT_TAKEN, which names the port and its key
 */
export async function claimPorts(wanted: Partial<Ports>): Promise<Ports> {
  const claimed: Partial<Record<ServiceName, number>> = {};
  for (const [service, key] of Object.entries(PORT_KEYS) as [ServiceName, string][]) {
    const port = wanted[service] ?? 0;
    try {
      claimed[service] = port === 0 ? await freePort(Object.values(claimed)) : await tryPort(port);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw new LocalError(
        'PORT_TAKEN',
        `Port ${port}, wanted by ${service}, ${ADVICE[code] ?? message}: stop what uses it, or choose another one, e.g. ${key}=${port + 1} npm start.`,
      );
    }
  }
  return claimed as Ports;
}
