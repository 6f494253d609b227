import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LogEntry, Plan } from './plan.ts';

interface TestCoverage {
  readonly name: string;
  readonly isPassed: boolean;
  readonly milliseconds: number;
  /** Keys of the mutants that it reaches. */
  readonly hits: ReadonlySet<string>;
}

export interface FileCoverage {
  /** Keys of the mutants that loading the file reaches. */
  readonly loaded: ReadonlySet<string>;
  readonly tests: readonly TestCoverage[];
  /** How many tests reach each mutant, by its key. */
  readonly reach: ReadonlyMap<string, number>;
  /** How long it all took, with loading and hooks. */
  readonly milliseconds: number;
}

/** The process uses this much memory at most before a new one takes over. */
const MEMORY_LIMIT = 1_400_000_000;

const keysOf = (hits: Record<string, number[]>, keys?: ReadonlySet<string>) =>
  new Set(
    Object.entries(hits)
      .flatMap(([path, ids]) => ids.map((id) => `${path}#${id}`))
      .filter((key) => keys?.has(key) ?? true),
  );

interface Answer {
  readonly type: 'done' | 'failed';
  readonly message?: string;
  readonly memory: number;
}

/** Runs test files in a process of its own, which is replaced when it hangs or has grown. */
export class TestProcess {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  #child: ChildProcess | null = null;
  readonly #log = join(this.#folder, 'log.ndjson');

  #start(): ChildProcess {
    const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [this.#folder], {
      execArgv: ['--experimental-vm-modules', '--no-warnings', '--max-old-space-size=3000'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return child;
  }

  close(): void {
    this.#stop();
    rmSync(this.#folder, { recursive: true });
  }

  #stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  /** Carries out a plan. Without progress for `patience` milliseconds the process is killed: see `isHung`. */
  async run(
    testFile: string,
    plan: Plan,
    patience: number,
  ): Promise<{ readonly log: readonly LogEntry[]; readonly isHung: boolean }> {
    writeFileSync(this.#log, '');
    const child = (this.#child ??= this.#start());
    const answer = new Promise<Answer>((resolve) => {
      child.once('message', (message) => resolve(message as Answer));
      child.once('exit', (code) => resolve({ type: 'done', memory: Infinity, message: String(code) }));
    });
    child.send({ testFile, plan, log: this.#log });
    const result = await Promise.race([answer, this.#stall(answer, patience)]);
    child.removeAllListeners();
    if (result === null || result.memory > MEMORY_LIMIT) this.#stop();
    if (result?.type === 'failed') throw new Error(result.message);
    const lines = readFileSync(this.#log, 'utf8').split('\n');
    const log = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogEntry);
    return { log, isHung: result === null };
  }

  /** Resolves with null when the log has not grown for too long. */
  async #stall(answer: Promise<Answer>, patience: number): Promise<null> {
    let isDone = false;
    void answer.then(() => {
      isDone = true;
    });
    let [size, since] = [-1, Date.now()];
    while (!isDone && Date.now() - since < patience) {
      await setTimeout(200);
      const current = statSync(this.#log).size;
      if (current !== size) [size, since] = [current, Date.now()];
    }
    return null;
  }

  /** Which mutants loading a file and each of its tests reach, of those with these `keys` if given. */
  async coverage(testFile: string, keys?: ReadonlySet<string>): Promise<FileCoverage> {
    const startedAt = performance.now();
    const { log, isHung } = await this.run(testFile, { mode: 'coverage' }, 240_000);
    const milliseconds = performance.now() - startedAt;
    if (isHung) throw new Error(`${testFile} does not end`);
    const loaded = log.find((entry) => entry.type === 'loaded');
    if (loaded === undefined) throw new Error(`${testFile} has no tests`);
    const tests = log.flatMap((entry) =>
      entry.type === 'test' ? [{ ...entry, hits: keysOf(entry.hits, keys) }] : [],
    );
    const reach = new Map<string, number>();
    for (const { hits } of tests) for (const key of hits) reach.set(key, (reach.get(key) ?? 0) + 1);
    return { loaded: keysOf(loaded.hits, keys), tests, reach, milliseconds };
  }
}

/** Coverage of test files by their path, of the mutants with these `keys` if given. */
export async function readCoverage(
  testProcess: TestProcess,
  files: readonly string[],
  progress: (text: string) => void,
  keys?: ReadonlySet<string>,
): Promise<Map<string, FileCoverage>> {
  const coverage = new Map<string, FileCoverage>();
  for (const [index, file] of files.entries()) {
    progress(`coverage ${index + 1}/${files.length} ${file}`);
    try {
      coverage.set(file, await testProcess.coverage(file, keys));
    } catch (error) {
      // What it covers is reported without coverage; the other files go on.
      progress(`cannot run ${file}: ${String(error)}`);
      process.exitCode = 1;
    }
  }
  return coverage;
}
