import { messageOf } from '../universal/messageOf.ts';

/** Ends a shell that cannot start, with one line on stderr. */
export function fail(message: string): never {
  process.stderr.write(`shell: ${message}\n`);
  process.exit(1);
}

/** The program of a shell: `start` opens a runtime and serves a site on it. */
export function runShell(start: () => Promise<void>): void {
  // Files are for this process's own user.
  process.umask(0o077);
  start().catch((error: unknown) => fail(messageOf(error)));
}
