/** A mutant that no test can kill. */
export interface EquivalentMutant {
  readonly path: string;
  /** Its line without indentation. */
  readonly source: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

/** Mutants that change nothing that a caller can see. Each names why; a test checks that it still exists. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [];
