/** A mutant by the file it is in and its id there. */
export interface MutantKey {
  readonly path: string;
  readonly id: number;
}

/** Ids of the mutants that were reached, by file. */
export type Hits = Map<string, Set<number>>;

/** Which mutants are reached while something runs: loading the file, a hook, a test. */
export class MutantRecorder {
  #hits: Hits = new Map();
  #phase = 0;

  /** Starts a new phase and returns the hits that it will collect. */
  start(): Hits {
    this.#hits = new Map();
    this.#phase += 1;
    return this.#hits;
  }

  /** For the instrumented source of one file; no mutant is on. */
  of(path: string): (id: number) => boolean {
    let phase = -1;
    let ids = new Set<number>();
    return (id) => {
      if (phase !== this.#phase) {
        phase = this.#phase;
        ids = this.#hits.get(path) ?? new Set();
        this.#hits.set(path, ids);
      }
      ids.add(id);
      return false;
    };
  }
}

/** Switches one mutant on at a time. */
export class MutantSwitch {
  #active: MutantKey | null = null;
  #isReached = false;

  /** Whether the active mutant has been reached since it is on. */
  get isReached(): boolean {
    return this.#isReached;
  }

  set(mutant: MutantKey | null): void {
    this.#active = mutant;
    this.#isReached = false;
  }

  /** For the instrumented source of one file. */
  of(path: string): (id: number) => boolean {
    return (id) => {
      if (this.#active?.id !== id || this.#active.path !== path) return false;
      this.#isReached = true;
      return true;
    };
  }
}

/** One mutant with the tests that run while it is on; without a mutant, a control. */
export interface Run {
  readonly mutant: MutantKey | null;
  readonly tests: readonly string[];
}

interface RunSettings {
  /** Milliseconds that a test may take. */
  readonly timeout: number;
  /** Whether one failed test of a mutant is enough. */
  readonly isBailing: boolean;
}

/** What the runner does with a test file. */
export type Plan =
  /** Runs all tests as they are and logs which mutants each reaches. */
  | { readonly mode: 'coverage' }
  /** Loads the file with the mutant on. */
  | ({ readonly mode: 'load'; readonly run: Run } & RunSettings)
  /** Loads the file once and runs the tests again for each mutant. */
  | ({ readonly mode: 'rerun'; readonly runs: readonly Run[] } & RunSettings);

/** Lines of the log, one JSON object each. */
export type LogEntry =
  | { readonly type: 'loaded'; readonly hits: Record<string, number[]> }
  | {
      readonly type: 'test';
      readonly name: string;
      readonly isPassed: boolean;
      readonly milliseconds: number;
      readonly hits: Record<string, number[]>;
    }
  | { readonly type: 'start'; readonly index: number }
  | {
      readonly type: 'end';
      readonly index: number;
      readonly failed: readonly string[];
      readonly isReached: boolean;
      readonly isTimeout: boolean;
    };

/** Where the runner reads its plan and writes its log; handed over as a global of the Jest configuration. */
export interface PlanFiles {
  readonly plan: string;
  readonly log: string;
}
