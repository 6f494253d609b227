import type { PageState } from '../pageState.ts';
import type { Site } from '../site.ts';
import { eventCodes } from '../universal/eventCodes.ts';
import type {
  BootExtension,
  BootFrame,
  BootRemote,
  BootSlot,
  PageContent,
  BootJson,
} from '../universal/bootData.ts';
import { emitsOf, hearsOf } from '../layout/permissions.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { releaseFileUrl, type LoadedRelease } from '../rendering/release.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { escapeJson } from './html.ts';
import type { EarlyFiles, JoinedEntry } from './earlyFiles.ts';
import type { SlotOutcome } from './renderSlots.ts';

/**
 * A release as the browser's federation runtime needs it; `joined` replaces its entry. Of its other files those at the URLs
 * `loaded` are listed, by default all: a release's scripts hold the integrity of those that they load themselves.
 */
export function bootRemote(
  release: LoadedRelease,
  {
    joined,
    loaded,
  }: { readonly joined?: JoinedEntry | undefined; readonly loaded?: ReadonlySet<string> } = {},
): BootRemote {
  const { manifest } = release;
  const entry = joined?.url ?? releaseFileUrl(release, manifest.entry.web);
  const integrity: Record<string, string> = joined ? { [joined.url]: joined.integrity } : {};
  for (const [path, file] of Object.entries(manifest.files)) {
    const url = releaseFileUrl(release, path);
    if (path.startsWith('web/') && (!loaded || url === entry || loaded.has(url)))
      integrity[url] = file.integrity;
  }
  return { name: manifest.name, version: manifest.version, entry, integrity };
}

const MAX_FRAME_HEIGHT = 1200;

/** A slot without a release has nothing to frame. */
function frameOf(placement: SlotPlacement, { manifest }: LoadedRelease): BootFrame | undefined {
  if (placement.isolation !== 'frame') return undefined;
  const { mayRead } = placement;
  const { reads } = manifest.slots[placement.slot] ?? { reads: [] };
  return {
    version: manifest.version,
    reads: reads.filter((part) => mayRead.includes(part)),
    maxHeight: placement.maxFrameHeight ?? MAX_FRAME_HEIGHT,
  };
}

const NOTHING_LINKED: ReadonlySet<string> = new Set();

/** `linked` contains the URLs of styles that the page has already linked; `joined` is the entry with one of the scripts. */
export function bootSlot(
  { placement, release, rendered }: Pick<SlotOutcome, 'placement' | 'release' | 'rendered'>,
  {
    site,
    linked = NOTHING_LINKED,
    joined,
  }: {
    readonly site: Pick<Site, 'permissions' | 'events'>;
    readonly linked?: ReadonlySet<string>;
    readonly joined?: JoinedEntry | undefined;
  },
): Omit<BootSlot, 'data'> {
  const declaration = release?.manifest.slots[placement.slot];
  const frame = release && frameOf(placement, release);
  // The page itself loads nothing of a slot in a frame.
  const urls = (paths: readonly string[] = []) =>
    release && !frame ? paths.map((path) => releaseFileUrl(release, path)) : [];
  return {
    slot: placement.slot,
    remote: placement.source === 'shell' ? null : placement.source.remote,
    expose: declaration?.expose ?? `./${placement.slot}`,
    hydrate: placement.hydrate,
    wakes: placement.wakes ?? [],
    emits: eventCodes(site.events, emitsOf(site, placement.slot)),
    hears: eventCodes(site.events, hearsOf(site, placement.slot)),
    rendered: rendered ? 'release' : placement.criticality === 'required' ? 'fallback' : 'none',
    styles: urls(declaration?.styles).filter((url) => !linked.has(url)),
    scripts: urls(declaration?.scripts).filter((url) => url !== joined?.chunk),
    ...(frame && { frame }),
  };
}

/** The releases that fill placements of a page, but for those in frames. */
export function placedReleases(placements: readonly SlotPlacement[], snapshot: Snapshot): LoadedRelease[] {
  const placed = new Set(
    placements.map(({ source, isolation }) => source !== 'shell' && isolation !== 'frame' && source.remote),
  );
  return [...snapshot].flatMap(([name, release]) => (placed.has(name) ? [release] : []));
}

const isPersonalPage = (outcomes: readonly SlotOutcome[]): boolean =>
  outcomes.some(({ placement }) => placement.isPersonal);

interface BootInput {
  readonly site: Pick<Site, 'permissions' | 'personal' | 'events'>;
  readonly state: PageState;
  readonly outcomes: readonly SlotOutcome[];
  readonly snapshot: Snapshot;
  /** URLs of styles that the page has already linked. */
  readonly linked: ReadonlySet<string>;
  readonly entries: EarlyFiles['entries'];
  readonly extension: BootExtension | undefined;
}

/** The page's content as JSON in UTF-8. `encodeState` reuses what the slots got. */
export function pageContentJson(
  { site, state, outcomes }: Pick<BootInput, 'site' | 'state' | 'outcomes'>,
  encodeState: NonNullable<SlotRenderer['encodeState']> = (value) => [Buffer.from(JSON.stringify(value))],
): Buffer {
  const {
    page: _,
    session: __,
    ...content
  } = isPersonalPage(outcomes) ? state : site.personal.without(state);
  const data: PageContent['data'] = Object.fromEntries(
    outcomes.flatMap(({ placement, rendered }) =>
      rendered?.data === undefined ? [] : [[placement.slot, rendered.data]],
    ),
  );
  const pieces = encodeState(content);
  const [last = Buffer.alloc(0)] = pieces.slice(-1);
  // The data follows the state in the same object.
  return Buffer.concat([
    ...pieces.slice(0, -1),
    last.subarray(0, -1),
    Buffer.from(`,"data":${JSON.stringify(data)}}`),
  ]);
}

/** Data for the browser to hydrate the page, as JSON for a script element. `content` is JSON: the content or its URL. */
export function bootJson(
  { site, state, outcomes, snapshot, linked, entries, extension }: BootInput,
  content: string,
): string {
  const isPersonal = isPersonalPage(outcomes);
  const { page, session } = isPersonal ? state : site.personal.without(state);
  const personal = isPersonal ? undefined : site.personal.part(state);
  const slots = outcomes.map((outcome) => {
    const { source } = outcome.placement;
    const joined = source === 'shell' ? undefined : entries.get(source.remote);
    return bootSlot(outcome, { site, linked, joined });
  });
  const loaded = new Set(slots.flatMap(({ styles, scripts }) => [...styles, ...scripts]));
  const data: Omit<BootJson, 'content'> = {
    state: { page, session },
    ...(personal && { personal }),
    slots,
    remotes: placedReleases(
      outcomes.map(({ placement }) => placement),
      snapshot,
    ).map((release) => bootRemote(release, { joined: entries.get(release.manifest.name), loaded })),
    ...(extension && { extension }),
  };
  return escapeJson(`${JSON.stringify(data).slice(0, -1)},"content":${content}}`);
}
