import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { LocalError } from './localError.ts';

const HOST = '127.0.0.1';

/** The services in start order, with the variable that sets each port. */
const PORT_KEYS = {
  'marketplace-api': 'MARKETPLACE_API_PORT',
  'remote-registry': 'REGISTRY_PORT',
  identity: 'IDENTITY_PORT',
  shell: 'PORT',
} as const;
export type ServiceName = keyof typeof PORT_KEYS;
export type Ports = Readonly<Record<ServiceName, number>>;

/**
 * Range for free ports: below the ephemeral ports of Linux (32768) and others (49152, RFC 6335), because an outgoing
 * connection could take one of those before the service starts.
 */
const FREE_PORTS = { from: 20_000, until: 32_768 };
const MAX_ATTEMPTS = 100;

/** Resolves with the port if it can be listened on; else rejects with the system's error. */
const tryPort = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(port)));
  });

/** A free port that is not in `reserved`. */
export async function freePort(reserved: readonly number[] = []): Promise<number> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.until);
    if (reserved.includes(port)) continue;
    try {
      return await tryPort(port);
    } catch (error) {
      if (left <= 1) throw error;
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs more permissions',
};

/**
 * Assigns a port to each service: the configured one, or a free one for 0 or none.
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
        `Port ${port}, for ${service}, ${REASONS[code] ?? message}: stop the program that uses it, or choose another port, e.g. ${key}=${port + 1} npm start.`,
      );
    }
  }
  return claimed as Ports;
}
