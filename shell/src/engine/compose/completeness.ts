/**
 * How complete a page is, from best to worst:
 *
 * - `full`: everything is there
 * - `shed`: optional slots were left out because the shell was overloaded; stored, but only served under load
 * - `late`: a slot shows its fallback, or a call failed or was too slow; sent, but not stored
 * - `stale`: the upstream did not answer, and the page shows an older response; sent, but not stored
 */
const COMPLETENESS = ['full', 'shed', 'late', 'stale'] as const;
export type Completeness = (typeof COMPLETENESS)[number];

/** The completeness of a whole by those of its parts: the worst of them. */
export const worstOf = (...parts: readonly Completeness[]): Completeness =>
  COMPLETENESS[Math.max(0, ...parts.map((part) => COMPLETENESS.indexOf(part)))] as Completeness;
