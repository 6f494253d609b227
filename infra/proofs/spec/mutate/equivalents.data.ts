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
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source:
      "const pairs = [...(typeof query === 'string' ? new URLSearchParams(query) : query)].slice(0, MAX_PAIRS);",
    original: "typeof query === 'string'",
    replacement: 'true',
    reason: 'URLSearchParams copies another one with the same result.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source: 'const normalValues = rawValues.length > 0 ? readValues(param, typedValues) : [];',
    original: 'rawValues.length > 0',
    replacement: 'rawValues.length >= 0',
    reason: 'An empty list of values reads as an empty list, which sets no filter.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source: 'const normalValues = rawValues.length > 0 ? readValues(param, typedValues) : [];',
    original: 'rawValues.length > 0',
    replacement: 'true',
    reason: 'An empty list of values reads as an empty list, which sets no filter.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source:
      "if (result.kind === 'notFound') throw new Error(`The default path was refused: ${result.reason}`);",
    original: 'result.kind',
    replacement: 'result.reason',
    reason: 'Unreachable: the default path is always a search.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source:
      "if (result.kind === 'notFound') throw new Error(`The default path was refused: ${result.reason}`);",
    original: "'notFound'",
    replacement: "''",
    reason: 'Unreachable: the default path is always a search.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source:
      "if (result.kind === 'notFound') throw new Error(`The default path was refused: ${result.reason}`);",
    original: "result.kind === 'notFound'",
    replacement: 'false',
    reason: 'Unreachable: the default path is always a search.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source: 'if (!category || !expected) return { filters };',
    original: '!category || !expected',
    replacement: '!category',
    reason: 'Both are undefined together: each category has a filter.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source: 'if (!category || !expected) return { filters };',
    original: '!category || !expected',
    replacement: '!expected',
    reason: 'Both are undefined together: each category has a filter.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source: "const modelOf = (trim: string) => trim.split('|')[0] ?? '';",
    original: "trim.split('|')[0] ?? ''",
    replacement: "trim.split('|')[0]",
    reason: 'Unreachable: split returns at least one part.',
  },
  {
    path: 'shared-contracts/src/criteria/decode.ts',
    source: "const modelOf = (trim: string) => trim.split('|')[0] ?? '';",
    original: "''",
    replacement: "'mutated'",
    reason: 'Unreachable: split returns at least one part.',
  },
  {
    path: 'shared-contracts/src/url/encode.ts',
    source: "PLAIN.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll('%2C', ',');",
    original: 'PLAIN.test(text)',
    replacement: 'false',
    reason: 'The short way for texts that percent-encoding does not change.',
  },
  {
    path: 'shared-contracts/src/url/encode.ts',
    source: 'left < right ? -1 : 1;',
    original: 'left < right',
    replacement: 'left <= right',
    reason: 'No two names are equal.',
  },
  {
    path: 'shared-contracts/src/url/encode.ts',
    source: 'left < right ? -1 : 1;',
    original: '1',
    replacement: '2',
    reason: 'Only the sign of an order counts.',
  },
];
