/** What to do about startup errors, by system error code; `portKey` is the configuration key of the port. */
const adviceFor = (code: string, message: string, port: number, portKey: string): string =>
  ({
    EADDRINUSE: `PORT_TAKEN: port ${port} is in use; set ${portKey} to a free one`,
    EACCES: `PORT_REFUSED: not allowed to listen on port ${port}, or to write to DATA_DIR`,
    ENOSPC: 'DISK_FULL: no space left in DATA_DIR',
    SQLITE_FULL: 'DISK_FULL: no space left in DATA_DIR',
    ECONNREFUSED: 'DATABASE_UNREACHABLE: nothing listens at DATABASE_URL',
    DATABASE_UNAVAILABLE:
      'DATABASE_UNREACHABLE: nothing listens at DATABASE_URL, or it takes no connections now',
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

/** Ends a command quietly whose reader has seen enough, as in `… | head`. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

/** Ends the process with the command's exit status: 2 for a wrong command line, 1 for another error, with its message in one line. */
export async function runCommand(
  name: string,
  run: (words: readonly string[]) => Promise<number>,
): Promise<void> {
  endWithReader();
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
