import type { RootState } from '@forecourt/shared-contracts/store';
import type { BootExtension, BootRemote, BootSlot, PageData } from '../../both/bootData.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { releaseFileUrl, type LoadedRelease } from '../rendering/release.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { escapeJson } from './html.ts';
import { personalPart, withoutPersonal } from './personalState.ts';
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

/** `linked` contains the URLs of styles that the page has already linked. */
export function bootSlot(
  { placement, release, rendered }: Pick<SlotOutcome, 'placement' | 'release' | 'rendered'>,
  linked: ReadonlySet<string>,
): BootSlot {
  const declaration = release?.manifest.slots[placement.slot];
  const urls = (paths: readonly string[] = []) =>
    release ? paths.map((path) => releaseFileUrl(release, path)) : [];
  return {
    slot: placement.slot,
    remote: placement.source === 'shell' ? null : placement.source.remote,
    expose: declaration?.expose ?? `./${placement.slot}`,
    hydrate: placement.hydrate,
    wakes: placement.wakes ?? [],
    rendered: rendered ? 'release' : placement.criticality === 'required' ? 'fallback' : 'none',
    data: rendered?.data,
    styles: urls(declaration?.styles).filter((url) => !linked.has(url)),
    scripts: urls(declaration?.scripts),
  };
}

/** Data for the browser to hydrate the page, without the state. */
function bootDataOf(
  state: RootState,
  outcomes: readonly SlotOutcome[],
  snapshot: Snapshot,
  linked: ReadonlySet<string>,
): Omit<PageData, 'state'> {
  const placed = new Set(
    outcomes.map(({ placement }) => placement.source !== 'shell' && placement.source.remote),
  );
  const personal = isPersonalPage(outcomes) ? undefined : personalPart(state);
  return {
    ...(personal && { personal }),
    slots: outcomes.map((outcome) => bootSlot(outcome, linked)),
    remotes: [...snapshot].filter(([name]) => placed.has(name)).map(([, release]) => bootRemote(release)),
  };
}

const isPersonalPage = (outcomes: readonly SlotOutcome[]): boolean =>
  outcomes.some(({ placement }) => placement.isPersonal);

/** Data for the browser to hydrate the page, as JSON for a script element. `encodeState` reuses what the slots got. */
export function bootJson(
  input: {
    readonly state: RootState;
    readonly outcomes: readonly SlotOutcome[];
    readonly snapshot: Snapshot;
    readonly linked: ReadonlySet<string>;
    readonly extension: BootExtension | undefined;
  },
  encodeState: NonNullable<SlotRenderer['encodeState']> = JSON.stringify,
): string {
  const { state, outcomes, snapshot, linked, extension } = input;
  const others = { ...bootDataOf(state, outcomes, snapshot, linked), ...(extension && { extension }) };
  const stateJson = encodeState(isPersonalPage(outcomes) ? state : withoutPersonal(state));
  return escapeJson(`{"state":${stateJson},${JSON.stringify(others).slice(1)}`);
}
