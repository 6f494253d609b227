import type { Server } from 'node:http';
import { setImmediate as nextPoll, setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/**
 * Parses a service's environment; empty values count as unset. Throws one line that names every invalid key:
 * `configuration: KEY: problem; KEY: problem`.
 */
export function readEnvironment<S extends z.ZodType>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`configuration: ${problems.join('; ')}`);
}

/** Keys of a service that can store objects in a bucket of S3 or of a compatible server. */
export const bucketKeys = (prefix: string) =>
  ({
    S3_BUCKET: z.string().min(3).max(63).optional(),
    /** Prefix of every key. */
    S3_PREFIX: z
      .string()
      .regex(/^(?:[\w.-]+\/)*$/, "must be empty, or folders that end with '/'")
      .default(prefix),
    S3_REGION: z.string().min(1).default('us-east-1'),
    /** Endpoint of a compatible server; default: Amazon's. Credentials come from the SDK's default chain. */
    S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    /** `endpoint/bucket/key`, which many compatible servers require, instead of `bucket.endpoint/key`. */
    S3_PATH_STYLE: z.stringbool().default(false),
  }) as const;

/** ms in which callers leave the connections that they keep open. */
const DRAIN_MS = 1_000;
/** ms between checks for idle connections. */
const IDLE_CHECK_MS = 50;
/** ms that requests in flight have to finish. */
const GRACE_MS = 5_000;

/**
 * Closes a server without breaking off a request. While it has connections, it serves for a second more and ends each one
 * with its response, so that no caller sends the next request, which may be a write, on a connection that is being closed.
 * Resolves when the last response is sent, or was given up.
 */
export async function closeGently(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => void response.setHeader('Connection', 'close'));
  const connections = await new Promise<number>((resolve) =>
    server.getConnections((_, count) => resolve(count)),
  );
  if (connections > 0) await wait(DRAIN_MS);
  // Requests that arrived while this process was busy are read before their connections count as idle.
  await nextPoll();
  const closed = new Promise((resolve) => server.close(resolve));
  // A response that had begun before leaves its connection idle.
  const idle = setInterval(() => setImmediate(() => server.closeIdleConnections()), IDLE_CHECK_MS);
  const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** What to do about startup errors, by system error code; `portKey` is the configuration key of the port. */
const adviceFor = (code: string, message: string, port: number, portKey: string): string =>
  ({
    EADDRINUSE: `PORT_TAKEN: port ${port} is in use; set ${portKey} to a free one`,
    EACCES: `PORT_REFUSED: not allowed to listen on port ${port}, or to write to DATA_DIR`,
    ENOSPC: 'DISK_FULL: no space left in DATA_DIR',
    SQLITE_FULL: 'DISK_FULL: no space left in DATA_DIR',
    ECONNREFUSED: 'DATABASE_UNREACHABLE: nothing listens at DATABASE_URL',
    SCHEMA_TOO_OLD: `SCHEMA_TOO_OLD: ${message}`,
    SCHEMA_TOO_NEW: `SCHEMA_TOO_NEW: ${message}`,
  })[code] ?? message;

/** Ends a service that cannot start, with one line on stderr: `service: what is wrong`. */
export function failStart(
  service: string,
  error: unknown,
  { port = 0, portKey }: { readonly port?: number; readonly portKey: string },
): never {
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  process.stderr.write(`${service}: ${adviceFor(code, message, port, portKey)}\n`);
  process.exit(1);
}

/** What happens to data in files when a service moves to PostgreSQL: it is left behind or copied. */
export type FileData = 'leave' | 'copy';

/** Ends the process with the command's exit status: 2 for a wrong command line, 1 for another error, with its message in one line. */
export async function runCommand(
  name: string,
  run: (words: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${name}: ${message}\n`);
    const isUsage =
      error instanceof TypeError && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code));
    process.exitCode = isUsage ? 2 : 1;
  }
}

/**
 * The command `migrate [--copy | --empty]`: prints what `migrate` returns, a line each, or the error. Without an
 * option, `fileData` is undefined.
 */
export async function runMigration(
  service: string,
  migrate: (fileData: FileData | undefined) => Promise<readonly string[]>,
): Promise<void> {
  // Files are for this process's own user.
  process.umask(0o077);
  const fileData = process.argv.includes('--copy')
    ? 'copy'
    : process.argv.includes('--empty')
      ? 'leave'
      : undefined;
  await runCommand(service, async () => {
    for (const line of await migrate(fileData)) process.stdout.write(`${service}: ${line}\n`);
    return 0;
  });
}
