import type { Pointers } from '@forecourt/shared-contracts/slots/release';

/** Pointers that the shell does not follow until an operator confirms them. */
export interface DistrustedPointers {
  readonly revision: number;
  readonly reason: string;
}

/**
 * Why `next` is more likely a lost, old or wrong registry than a change by a team; undefined if it can be followed. A
 * registry only counts up and never removes a remote.
 */
export function implausibility(
  next: Pointers,
  last: Pointers,
  requiredRemotes: ReadonlySet<string>,
): string | undefined {
  const names = Object.keys(last.remotes);
  if (names.length === 0) return undefined;
  if (Object.keys(next.remotes).length === 0)
    return `the registry has no remotes; live are ${names.join(', ')}`;
  if (next.revision < last.revision) return `the registry is older than revision ${last.revision}`;
  const lost = names.filter((name) => requiredRemotes.has(name) && !Object.hasOwn(next.remotes, name));
  return lost.length > 0 ? `the registry lacks ${lost.join(', ')}, which required slots need` : undefined;
}
