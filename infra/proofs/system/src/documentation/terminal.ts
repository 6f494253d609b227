import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../proof.ts';

/** Before each command: the folder and the variables that the one before left. */
const GO_ON = '[ -f "$TERMINAL/state" ] && . "$TERMINAL/state"; cd "$PWD"; set -eo pipefail\n';
const KEEP = 'trap \'export -p > "$TERMINAL/state"\' EXIT\n';
/** ms for a program to stop after Ctrl-C. */
const STOP_MS = 60_000;

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

/** A terminal in which a reader enters one command after the other. */
export class Terminal {
  readonly #folder: string;
  readonly #cwd: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #programs: Running[] = [];

  /** `folder` stores its state; the last command's output is in the file `$TERMINAL/output`. */
  constructor(folder: string, cwd: string, environment: NodeJS.ProcessEnv) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#cwd = cwd;
    this.#environment = { ...environment, TERMINAL: folder };
  }

  #start(script: string): Running & { readonly output: () => string } {
    const env = this.#environment;
    // A process group, so that signals reach what it starts, as Ctrl-C does.
    const child = spawn('bash', ['-c', script], { cwd: this.#cwd, env, detached: true });
    child.stdin.end();
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const running = { child, ended };
    this.#programs.push(running);
    return { ...running, output: () => output };
  }

  /** Runs a command to its end. @throws Error with its status and the end of its output, unless it is `status` */
  async run(command: string, { limitMs, status = 0 }: { limitMs: number; status?: number }): Promise<void> {
    const { child, ended, output } = this.#start(`${GO_ON}${KEEP}${command}\n`);
    const timer = setTimeout(() => signal(child, 'SIGKILL'), limitMs);
    const found = await ended;
    clearTimeout(timer);
    writeFileSync(join(this.#folder, 'output'), output());
    if (found !== status) throw new Error(`exit status ${found}: ${output().trim().slice(-600)}`);
  }

  /** Starts a program and waits until it prints `ready`. @throws Error when it ends before */
  async serve(command: string, { limitMs, ready }: { limitMs: number; ready: RegExp }): Promise<void> {
    const { ended, output } = this.#start(`${GO_ON}${command}\n`);
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    await until(`prints ${ready}`, () => hasEnded || ready.test(output()), { limitMs });
    if (hasEnded) throw new Error(`ended before it printed ${ready}: ${output().trim().slice(-600)}`);
  }

  /** Ctrl-C for everything that still runs. */
  async close(): Promise<void> {
    for (const { child, ended } of this.#programs.splice(0).reverse()) {
      signal(child, 'SIGINT');
      const timer = setTimeout(() => signal(child, 'SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
  }
}

/** Sends a signal to a program and what it has started. */
function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, name);
}
