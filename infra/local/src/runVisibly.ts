import { spawn } from 'node:child_process';
import { REPOSITORY } from './repository.ts';
import { LocalError } from './localError.ts';

/** Runs a script of a tool with its output on this terminal; answers whether it ended well. @throws LocalError STOPPED */
export function runVisibly(
  script: string,
  args: readonly string[],
  options: {
    readonly signal: AbortSignal;
    readonly environment?: Readonly<Record<string, string>>;
    readonly nodeOptions?: readonly string[];
    /** Hides one stream. */
    readonly quiet?: 'stdout';
  },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return reject(new LocalError('STOPPED', 'Stopped.'));
    const child = spawn(process.execPath, [...(options.nodeOptions ?? []), script, ...args], {
      cwd: REPOSITORY,
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', options.quiet === 'stdout' ? 'ignore' : 'inherit', 'inherit'],
    });
    const abort = () => child.kill('SIGTERM');
    options.signal.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once('exit', (code) => {
      options.signal.removeEventListener('abort', abort);
      if (options.signal.aborted) reject(new LocalError('STOPPED', 'Stopped.'));
      else resolve(code === 0);
    });
  });
}
