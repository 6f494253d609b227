import { spawn } from 'node:child_process';
import { REPOSITORY } from './repository.ts';
import { LocalError } from './localError.ts';

/** Runs a script of a tool, its output as it comes; answers whether it ended well. @throws LocalError STOPPED */
export function runVisibly(
  script: string,
  args: readonly string[],
  options: {
    readonly signal: AbortSignal;
    readonly environment?: Readonly<Record<string, string>>;
    readonly nodeOptions?: readonly string[];
    /** Hides one stream. */
    readonly quiet?: 'stdout';
    /** Takes the output instead of this terminal. */
    readonly print?: ((text: string) => void) | undefined;
  },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return reject(new LocalError('STOPPED', 'Stopped.'));
    const output = options.print ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, [...(options.nodeOptions ?? []), script, ...args], {
      cwd: REPOSITORY,
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', options.quiet === 'stdout' ? 'ignore' : output, output],
    });
    const { print } = options;
    if (print)
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => print(text));
    const abort = () => child.kill('SIGTERM');
    options.signal.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once(options.print ? 'close' : 'exit', (code) => {
      options.signal.removeEventListener('abort', abort);
      if (options.signal.aborted) reject(new LocalError('STOPPED', 'Stopped.'));
      else resolve(code === 0);
    });
  });
}
