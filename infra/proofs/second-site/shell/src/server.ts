import { join } from 'node:path';
import {
  createEngine,
  engineKeys,
  openRuntime,
  readEngineConfig,
  runShell,
  TESTER_KEYS,
} from '@forecourt/shell/engine';
import { z } from 'zod';
import { libraryRoutes, librarySite } from './site.ts';
import { SITE_PLAN } from './sitePlan.ts';

const configSchema = z.object({
  ...engineKeys(SITE_PLAN.layouts),
  ...TESTER_KEYS,
  LIBRARY_API_URL: z.url().default('http://localhost:4000'),
});

runShell(async () => {
  const config = readEngineConfig(configSchema, process.env);
  const runtime = await openRuntime(SITE_PLAN, {
    config,
    dist: join(__dirname, '..'),
    upstreamUrl: config.LIBRARY_API_URL,
  });
  const { adapters } = runtime;
  await runtime.serve(createEngine(librarySite, libraryRoutes(adapters), adapters, config));
});
