import type { Pointers } from '@forecourt/releases/pointers';
import { RegistryError } from '@forecourt/release-kit/registryError';
import type { Origin } from '@forecourt/release-kit/registryResponses';
import type { PointerRecord } from '../ports.ts';

export type RemotePointer = Pointers['remotes'][string];

/** Previous versions stored per remote. */
const HISTORY_LENGTH = 50;

// 'constructor' is a valid remote name: plain property access would find Object's.
const ownValue = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export const pointerOf = (record: PointerRecord, name: string): RemotePointer | undefined =>
  ownValue(record.remotes, name);

/** Versions that were live before, the latest first. */
export const earlierVersions = (record: PointerRecord, name: string): string[] =>
  (ownValue(record.history, name) ?? []).map((entry) => entry.version).reverse();

function withPointer(
  record: PointerRecord,
  name: string,
  pointer: RemotePointer,
  history: PointerRecord['history'][string],
): PointerRecord {
  return {
    ...record,
    revision: record.revision + 1,
    remotes: { ...record.remotes, [name]: pointer },
    history: { ...record.history, [name]: history.slice(-HISTORY_LENGTH) },
  };
}

const isSame = (a: RemotePointer | undefined, b: RemotePointer): boolean =>
  a?.live === b.live && a.canary?.version === b.canary?.version && a.canary?.weight === b.canary?.weight;

/** @throws RegistryError REMOTE_HELD */
function mustNotBeHeld(record: PointerRecord, name: string): void {
  const hold = ownValue(record.holds ?? {}, name);
  if (!hold) return;
  const why = hold.why === undefined ? '' : ` (${hold.why})`;
  throw new RegistryError('REMOTE_HELD', `${hold.by} holds ${name}${why}: resume it first`);
}

/** Until `resume`, the remote's pointer only goes back: by a rollback or the end of its canary. */
export function hold(record: PointerRecord, name: string, origin: Origin, now: Date): PointerRecord {
  if (!pointerOf(record, name))
    throw new RegistryError('NO_LIVE_RELEASE', `${name} has no live release yet: promote one first`);
  const { by, why } = origin;
  const added = { by, at: now.toISOString(), ...(why === undefined ? {} : { why }) };
  return {
    ...record,
    revision: record.revision + 1,
    holds: { ...record.holds, [name]: added },
  };
}

/** Ends a hold; returns the unchanged record if there is none. */
export function resume(record: PointerRecord, name: string): PointerRecord {
  const { [name]: ended, ...holds } = record.holds ?? {};
  return ended ? { ...record, revision: record.revision + 1, holds } : record;
}

/** Sets the pointer; returns the unchanged record if it is set already. */
export function pointTo(
  record: PointerRecord,
  name: string,
  pointer: RemotePointer,
  now: Date,
): PointerRecord {
  const { canary } = pointer;
  if (canary && canary.version === pointer.live) {
    throw new RegistryError('CANARY_IS_LIVE', `${name}@${canary.version} is live already`);
  }
  // Weight 0 ends the canary.
  const next: RemotePointer =
    canary && canary.weight > 0 ? { live: pointer.live, canary } : { live: pointer.live };
  const before = pointerOf(record, name);
  if (isSame(before, next)) return record;
  const isEndOfCanary = !next.canary && before?.live === next.live;
  if (!isEndOfCanary) mustNotBeHeld(record, name);
  const history = ownValue(record.history, name) ?? [];
  const replaced =
    before && before.live !== next.live ? [{ version: before.live, replacedAt: now.toISOString() }] : [];
  return withPointer(record, name, next, [...history, ...replaced]);
}

/** Serves another version to `weight` percent of visitors; 0 ends the canary. */
export function startCanary(
  record: PointerRecord,
  name: string,
  canary: { version: string; weight: number },
  now: Date,
): PointerRecord {
  const before = pointerOf(record, name);
  if (!before)
    throw new RegistryError('NO_LIVE_RELEASE', `${name} has no live release yet: promote one first`);
  return pointTo(record, name, { live: before.live, canary }, now);
}

/** Makes a version live for everyone (default: the canary's) and ends the canary. */
export function promote(
  record: PointerRecord,
  name: string,
  version: string | undefined,
  now: Date,
): PointerRecord {
  const live = version ?? pointerOf(record, name)?.canary?.version;
  if (live === undefined)
    throw new RegistryError('NO_CANARY', `${name} has no canary: name the version to promote`);
  return pointTo(record, name, { live }, now);
}

/**
 * Returns to the previous live version and ends the canary. Another rollback goes
 * one version further back, never forward to the withdrawn one.
 * @param isAvailable whether a version can still be served; others are skipped
 */
export function rollBack(
  record: PointerRecord,
  name: string,
  isAvailable: (version: string) => boolean,
): PointerRecord {
  const history = ownValue(record.history, name) ?? [];
  const live = pointerOf(record, name)?.live;
  const index = history.findLastIndex(({ version }) => version !== live && isAvailable(version));
  const target = history[index];
  if (!target)
    throw new RegistryError('NO_PREVIOUS_RELEASE', `${name} has no earlier live release to go back to`);
  return withPointer(record, name, { live: target.version }, history.slice(0, index));
}
