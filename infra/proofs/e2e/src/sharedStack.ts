import { skipTest } from './consoleErrors.ts';

/** Reads a variable of the stack shared by all tests that do not disturb each other; skips the test without it. */
function requiredVariable(variable: string): string {
  const text = process.env[variable];
  if (!text && process.env['E2E_BASE_URL']) skipTest();
  if (!text)
    throw new Error(
      `${variable} is missing: run the tests with \`npm run e2e\`, or set it for a running stack`,
    );
  return text;
}
const originOf = (variable: string): string => new URL(requiredVariable(variable)).origin;

/** Origin of the shell, e.g. 'http://localhost:5000'. */
export const shellOrigin = (): string => originOf('E2E_BASE_URL');
/** Origin of the marketplace API behind that shell. */
export const apiOrigin = (): string => originOf('E2E_API_URL');

/** The shells and APIs themselves, of which a cluster has several behind its edge: faults, logs and metrics are of one process. */
export const shellReplicas = (): readonly string[] =>
  process.env['E2E_SHELL_REPLICAS']?.split(',') ?? [shellOrigin()];
export const apiReplicas = (): readonly string[] =>
  process.env['E2E_API_REPLICAS']?.split(',') ?? [apiOrigin()];

/** Directory of that stack's databases and logs. */
export const dataDir = (): string => requiredVariable('E2E_DATA_DIR');
