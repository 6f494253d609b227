import type { MutantKey } from './mutantSwitch.ts';

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
