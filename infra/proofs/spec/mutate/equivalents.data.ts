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
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'let slice = this.slices.at(-1);',
    original: '1',
    replacement: '2',
    reason:
      'Another slice may get the outcome or be added: sums stay the same, since all of them began within 30 seconds.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'let slice = this.slices.at(-1);',
    original: '-1',
    replacement: '1',
    reason:
      'Another slice may get the outcome or be added: sums stay the same, since all of them began within 30 seconds.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'if (!slice || now - slice.since >= SLICE_MS) {',
    original: 'now - slice.since',
    replacement: 'now + slice.since',
    reason: 'More slices than needed; the sums over them are the same.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'if (!slice || now - slice.since >= SLICE_MS) {',
    original: '!slice || now - slice.since >= SLICE_MS',
    replacement: 'true',
    reason: 'More slices than needed; the sums over them are the same.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'this.slices = this.slices.filter(({ since }) => now - since <= WINDOW_MS);',
    original: 'this.slices.filter(({ since }) => now - since <= WINDOW_MS)',
    replacement: 'this.slices',
    reason: 'Only frees memory: health() leaves old slices out as well.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'this.slices = this.slices.filter(({ since }) => now - since <= WINDOW_MS);',
    original: 'this.slices = this.slices.filter(({ since }) => now - since <= WINDOW_MS)',
    replacement: '',
    reason: 'Only frees memory: health() leaves old slices out as well.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'if (!pointer || canary === undefined) return dropOthers(remote, []);',
    original: '!pointer || canary === undefined',
    replacement: 'canary === undefined',
    reason: 'A remote without a pointer has no canary either.',
  },
  {
    path: 'shell/src/server/releases/canaryWatch.ts',
    source: 'if (version !== canary && version !== current) return;',
    original: 'version !== canary && version !== current',
    replacement: 'false',
    reason: 'The counts of other versions are never compared, and the next outcome drops them.',
  },
];
