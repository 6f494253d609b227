/** One line of a proof's table; without `isMet` it is told, not required. */
export interface Finding {
  readonly measure: string;
  readonly value: string;
  readonly required?: string;
  readonly isMet?: boolean;
}

export interface ProofContext {
  /** Undone, last first, when the proof is over, however it ends. */
  readonly onEnd: (step: () => Promise<void> | void) => void;
  readonly say: (step: string) => void;
}

export interface Proof {
  /** What `--only` calls it. */
  readonly name: string;
  readonly title: string;
  /** ms after which it is stopped and has failed. */
  readonly limitMs: number;
  /** How it measures, for those who read the results. */
  readonly method: string;
  run(context: ProofContext): Promise<readonly Finding[]>;
}

export const told = (measure: string, value: string | number): Finding => ({ measure, value: String(value) });

export const required = (
  measure: string,
  value: string | number,
  wanted: string,
  isMet: boolean,
): Finding => ({
  measure,
  value: String(value),
  required: wanted,
  isMet,
});

/** The first few of many failures, and how many there are. */
export const listed = (failures: readonly string[]): string =>
  failures.length === 0
    ? '0'
    : `${failures.length}: ${[...new Set(failures)].slice(0, 3).join('; ').replaceAll('|', '/')}`;
