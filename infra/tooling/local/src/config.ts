import { resolve } from 'node:path';
import { z } from 'zod';
import { LocalError } from './localError.ts';
import { REPOSITORY } from './repository.ts';

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
  OIDC_ISSUER: z.string().optional(),
  /** Default: the shell's default. */
  SLOT_RENDERER: z.string().optional(),
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
