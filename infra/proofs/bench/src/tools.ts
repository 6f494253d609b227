import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackages } from '@forecourt/local/installPackages';
import type { Page } from '@forecourt/harness/browser';

// Lighthouse and autocannon bring more than 170 packages that only the bench needs. They have a lockfile of their own in
// `tools/` and are installed there on the first run, not with the repository.
const FOLDER = fileURLToPath(new URL('../tools', import.meta.url));

/** The part of Lighthouse's API that is used here. */
export type Lighthouse = (
  url: string,
  flags: { onlyAudits: readonly string[]; logLevel: 'error'; throttlingMethod: 'devtools' },
  config: undefined,
  page: Page,
) => Promise<{ lhr: { audits: Record<string, { numericValue?: number }> } } | undefined>;

/** The part of autocannon's API that is used here. */
export type Autocannon = (options: {
  url: string;
  connections: number;
  /** Seconds; without it `amount` is given. */
  duration?: number;
  /** Requests of all connections together. */
  amount?: number;
  headers: Record<string, string>;
  /** Called for each connection; `setRequests` replaces the request for `url`. */
  setupClient?: (client: {
    on(event: 'headers' | 'response', listener: () => void): void;
    setRequests(requests: { path: string }[]): void;
  }) => void;
}) => Promise<{
  '2xx': number;
  '3xx': number;
  non2xx: number;
  errors: number;
  duration: number;
  /** Bytes. */
  throughput: { total: number };
}>;

/** Installs the tools with their locked versions; does nothing when that was done before. */
export const installTools = (): Promise<void> => installPackages(FOLDER);

async function load(name: string): Promise<unknown> {
  await installTools();
  const path = createRequire(`${FOLDER}/package.json`).resolve(name);
  return ((await import(pathToFileURL(path).href)) as { default: unknown }).default;
}

export const loadLighthouse = async () => (await load('lighthouse')) as Lighthouse;
export const loadAutocannon = async () => (await load('autocannon')) as Autocannon;
