/** What a credential may allow. `canary` includes `end-canary`; no other action includes another. */
export const ACTIONS = ['publish', 'canary', 'end-canary', 'promote', 'rollback', 'administer'] as const;
export type Action = (typeof ACTIONS)[number];

/** Percent of visitors up to which a canary needs no `promote`. */
export const CANARY_LIMIT = 50;

interface Scopes {
  /** Actions on one remote, or on all of them (`*`). */
  readonly scopes: readonly { readonly remote: string; readonly actions: readonly Action[] }[];
}

export const allows = ({ scopes }: Scopes, action: Action, remote: string): boolean =>
  scopes.some(
    (scope) =>
      (scope.remote === '*' || scope.remote === remote) &&
      (scope.actions.includes(action) || (action === 'end-canary' && scope.actions.includes('canary'))),
  );
