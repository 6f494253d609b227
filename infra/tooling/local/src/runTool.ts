import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { LocalError } from './localError.ts';
import { REPOSITORY } from './repository.ts';

export interface ToolRun {
  /** A script for this Node. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Every line of stdout and stderr, as it comes. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How many of a tool's last lines are kept for its error. */
const TAIL_LINES = 40;

/**
 * Runs a script to its end, in a process group of its own, so that aborting
 * ends what it started, too. Rejects with an Error whose message is the tail
 * of its output; with STOPPED when aborted.
 */
export function runTool({ script, args = [], cwd = REPOSITORY, environment, onLine, signal }: ToolRun) {
  return new Promise<void>((resolve, reject) => {
    const stopped = () => new LocalError('STOPPED', 'Stopped.');
    if (signal?.aborted) return reject(stopped());
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const tail: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (coloured) => {
        const line = stripVTControlCharacters(coloured);
        tail.push(line);
        if (tail.length > TAIL_LINES) tail.shift();
        onLine?.(line);
      });
    }
    const abort = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGTERM');
      } catch {
        // It ended by itself in the meantime.
      }
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(stopped());
      else if (code === 0) resolve();
      else reject(new Error(tail.join('\n') || `${script} ended with status ${String(code)}`));
    });
  });
}
