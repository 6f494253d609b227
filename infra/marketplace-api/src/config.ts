import { resolve } from 'node:path';
import { z } from 'zod';

const REPOSITORY = resolve(import.meta.dirname, '../../..');

const wholeNumber = z.coerce.number().int().nonnegative();

/** Every key the service reads; the README's table says the same. */
export const configSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  MARKETPLACE_API_PORT: wholeNumber.max(65_535).default(4000),
  /** Relative paths start at the repository. */
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(REPOSITORY, path)),
  INVENTORY_SIZE: wholeNumber.max(5_000_000).default(100_000),
  INVENTORY_SEED: wholeNumber.max(2 ** 32 - 1).default(2026),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Fault injection and the list of leads: for one's own machine and tests. Never on a public host. */
  LOCAL_MODE: z.stringbool().default(true),
});
export type Config = z.infer<typeof configSchema>;

/** One line a wrong key, or the configuration. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const read = configSchema.safeParse(environment);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Wrong configuration. ${problems.join('; ')}`);
}

/** The service's one database file. */
export const databasePath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'marketplace.sqlite');
