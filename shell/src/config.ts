import type { z } from 'zod';
import { readEngineConfig } from './engine/config.ts';
import { TESTER_KEYS } from './engine/overrides/server/config.ts';
import { configSchema as siteSchema } from './marketplace/config.ts';

/**
 * All keys of the environment: of the site, and of the extension that `server.ts` attaches.
 * @public Read by the check of the README's table.
 */
export const configSchema = siteSchema.extend(TESTER_KEYS);

export type ShellConfig = z.infer<typeof configSchema>;

/** @throws Error of one line that names every invalid key */
export const readConfig = (environment: NodeJS.ProcessEnv): ShellConfig =>
  readEngineConfig(configSchema, environment);
