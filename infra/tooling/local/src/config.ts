import { resolve } from 'node:path';
import { issuerUrl } from '@forecourt/service-kit/issuerUrl';
import { z } from 'zod';
import { LocalError, REPOSITORY } from './repository.ts';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const port = (defaultPort: number) => z.coerce.number().int().min(1).max(65_535).default(defaultPort);

/** Environment variables that `npm start` reads; the services get all others unchanged. */
const configSchema = z.object({
  PORT: port(3000),
  MARKETPLACE_API_PORT: port(4000),
  REGISTRY_PORT: port(4100),
  IDENTITY_PORT: port(4200),
  /** First port of the workshop; each further remote takes the next one. */
  WORKSHOP_PORT: port(3100),
  /** Relative to the repository. */
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(REPOSITORY, path)),
  INVENTORY_SIZE: z.coerce.number().int().min(0).max(5_000_000).default(100_000),
  /** Default: the stack's identity service. */
  OIDC_ISSUER: issuerUrl.optional(),
  /** Default: the shell's default; `npm run dev` renders without isolation. */
  RELEASE_ISOLATION: z.string().optional(),
});
export type LocalConfig = z.infer<typeof configSchema>;

/** Parses the environment; an empty variable counts as unset. @throws LocalError CONFIGURATION_INVALID */
export function readConfig(environment: NodeJS.ProcessEnv): LocalConfig {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = configSchema.safeParse(present);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new LocalError('CONFIGURATION_INVALID', `Invalid configuration: ${problems.join('; ')}.`);
  }
  const { PORT, MARKETPLACE_API_PORT, REGISTRY_PORT, IDENTITY_PORT } = parsed.data;
  if (new Set([PORT, MARKETPLACE_API_PORT, REGISTRY_PORT, IDENTITY_PORT]).size < 4) {
    throw new LocalError(
      'CONFIGURATION_INVALID',
      'Invalid configuration: PORT, MARKETPLACE_API_PORT, REGISTRY_PORT and IDENTITY_PORT must differ.',
    );
  }
  return parsed.data;
}

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

/** The configured port of each service. */
export const portsOf = (config: LocalConfig): Ports => ({
  shell: config.PORT,
  'marketplace-api': config.MARKETPLACE_API_PORT,
  'remote-registry': config.REGISTRY_PORT,
  identity: config.IDENTITY_PORT,
});

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
export async function claimPorts(requested: Partial<Ports>): Promise<Ports> {
  const claimed: Partial<Record<ServiceName, number>> = {};
  for (const [service, key] of Object.entries(PORT_KEYS) as [ServiceName, string][]) {
    const port = requested[service] ?? 0;
    try {
      claimed[service] = port === 0 ? await freePort(Object.values(claimed)) : await tryPort(port);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw new LocalError(
        'PORT_TAKEN',
        `Port ${port}, for ${service}, ${REASONS[code] ?? message}: stop the program that uses it, or choose another port, e.g. ${key}=${await freePort(Object.values(requested))} npm start.`,
      );
    }
  }
  return claimed as Ports;
}
