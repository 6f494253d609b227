import type { RootState } from '@forecourt/shared-contracts/store';
import { releaseFileUrl, type LoadedRelease } from '../releases/release.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import type { BootData, BootRemote, BootSlot } from './bootData.ts';
import type { SlotOutcome } from './renderSlots.ts';

/** A release as the browser's federation runtime needs it. */
export function bootRemote(release: LoadedRelease): BootRemote {
  const { manifest } = release;
  return {
    name: manifest.name,
    version: manifest.version,
    entry: releaseFileUrl(release, manifest.entry.web),
    integrity: Object.fromEntries(
      Object.entries(manifest.files)
        .filter(([path]) => path.startsWith('web/'))
        .map(([path, { integrity }]) => [releaseFileUrl(release, path), integrity]),
    ),
  };
}

/** `brought` names the styles that are in the page already. */
export function bootSlot(
  { placement, release, rendered }: Pick<SlotOutcome, 'placement' | 'release' | 'rendered'>,
  brought: ReadonlySet<string>,
): BootSlot {
  const facts = release?.manifest.slots[placement.slot];
  const urls = (paths: readonly string[] = []) =>
    release ? paths.map((path) => releaseFileUrl(release, path)) : [];
  return {
    slot: placement.slot,
    remote: placement.source === 'shell' ? null : placement.source.remote,
    expose: facts?.expose ?? `./${placement.slot}`,
    hydrate: placement.hydrate,
    wakes: placement.wakes ?? [],
    rendered: rendered ? 'release' : placement.criticality === 'required' ? 'fallback' : 'none',
    data: rendered?.data,
    styles: urls(facts?.styles).filter((url) => !brought.has(url)),
    scripts: urls(facts?.scripts),
  };
}

/** What the browser needs to go on where the server stopped; the request's id is each answer's own. */
export function bootData(
  state: RootState,
  outcomes: readonly SlotOutcome[],
  snapshot: Snapshot,
  brought: ReadonlySet<string>,
): Omit<BootData, 'requestId'> {
  return {
    state,
    slots: outcomes.map((outcome) => bootSlot(outcome, brought)),
    remotes: [...snapshot.values()].map(bootRemote),
  };
}
