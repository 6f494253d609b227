import { setImmediate as nextTurn } from 'node:timers/promises';
import { BOOT_ELEMENT_ID } from '../universal/bootData.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import { type FileLink, releaseFileLink } from '../rendering/release.ts';
import { bootJson, pageContentJson, placedReleases } from './boot.ts';
import { MAIN_END, RELEASES_META, releasesOf } from '../universal/slotsResponse.ts';
import { type EarlyFiles, isInFirstView } from './earlyFiles.ts';
import { closeSlot, laterStyleLinks, openSlot, separated } from './slotMarkup.ts';
import { type Completeness, worstOf } from './completeness.ts';
import type { PageState } from '../pageState.ts';
import type { HeadFields, Site } from '../site.ts';
import { type InlineElement, escapeHtml, jsonForScript } from './html.ts';
import { preloadList, type ShellAssets } from './shellAssets.ts';
import type { PageAddition } from '../pageExtension.ts';
import type { PageStream } from './pageStream.ts';
import {
  type RenderDeps,
  type SlotOutcome,
  type SlotRequest,
  canLeaveOut,
  leaveOut,
  renderPlacement,
} from './renderSlots.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';

/** The state of a page once it is loaded. */
export interface LoadedState {
  readonly state: PageState;
  readonly completeness: Completeness;
}

/** One page of any kind; `state.page.kind` selects its layout. */
export interface PageInput extends SlotRequest {
  readonly site: Pick<Site, 'events' | 'frame' | 'permissions' | 'personal' | 'plainSlot'>;
  /** The state that the slots render, and how complete it is; the head is written before it is there. Default: `state`. */
  readonly complete?: Promise<LoadedState>;
  readonly layout: readonly SlotPlacement[];
  /** See `PageDescription`. */
  readonly part?: 'slots' | undefined;
  readonly head: HeadFields;
  /** Path and query to return to after signing in. */
  readonly currentUrl: string;
  readonly origin: string;
  readonly assets: ShellAssets;
  readonly earlyFiles: EarlyFiles;
  /** Styles of the head; the page's policy must allow them. */
  readonly style: InlineElement;
  /** JSON-LD about the whole page, ready for a script element. */
  readonly structuredData?: string;
  /** Under load: optional slots are left out. */
  readonly leavesOutSlots: boolean;
  /** The main slot, if it was rendered before the head. */
  readonly mainSlot?: SlotOutcome;
  readonly addition?: PageAddition | undefined;
  /** Stores the page's content, and returns the URL at which browsers fetch it. Without it the page contains it. */
  readonly storeContent?: ((json: Buffer) => string) | undefined;
}

/** Keys of schema.org with URLs, which must be absolute; slots do not know the origin. */
const URL_KEYS = new Set(['url', 'item', 'image']);
function absoluteUrls(value: object, origin: string): unknown {
  const absolute = (member: unknown) =>
    typeof member === 'string' && member.startsWith('/') ? origin + member : member;
  return JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (!URL_KEYS.has(key)) return member;
    return Array.isArray(member) ? member.map(absolute) : absolute(member);
  });
}

const structuredData = (json: string): string => `<script type="application/ld+json">${json}</script>`;

const stylesOf = ({ release, placement }: SlotOutcome): FileLink[] =>
  (release?.manifest.slots[placement.slot]?.styles ?? []).map((path) => releaseFileLink(release!, path));

function writeHead(page: PageStream, input: PageInput): void {
  const { site, state, origin, head, style, addition, currentUrl } = input;
  const { session } = state;
  if (input.part) {
    const releases = releasesOf(placedReleases(input.layout, input.snapshot).map(({ manifest }) => manifest));
    return page.write(
      `<!doctype html><title>${escapeHtml(head.title)}</title>` +
        `<meta name="${RELEASES_META}" content="${escapeHtml(releases)}">`,
    );
  }
  page.write(
    site.frame.head({ head, session, origin, style }) +
      site.frame.top({ state, currentUrl, banner: addition?.banner ?? '' }),
    { isFlushed: true },
  );
}

/** Writes the parts after the head and remembers which styles are linked. */
function createPageWriter(page: PageStream, input: PageInput, encodeState: SlotRenderer['encodeState']) {
  const { site, state, origin, assets, addition, part, earlyFiles: files } = input;
  const linked = new Set(files.styles);
  let isBelowMain = false;
  const linkStyles = (links: readonly FileLink[]) => {
    const missing = links.filter(({ url }) => !linked.has(url));
    for (const { url } of missing) linked.add(url);
    return laterStyleLinks(missing);
  };
  return {
    slot(outcome: SlotOutcome) {
      const { placement, rendered } = outcome;
      if (placement.deadlineMs === 0) return;
      const html = rendered
        ? (rendered.bytes ?? rendered.html)
        : (site.plainSlot(placement.slot, state) ?? '');
      const isFramed = placement.isolation === 'frame';
      const isLinked = isInFirstView(placement) || isFramed || html.length === 0;
      // None before the first view's slots: without scripts, a style sheet stops the parser until it is loaded.
      const later = isBelowMain && !isInFirstView(placement) ? linkStyles(files.laterStyles) : '';
      const styles = later + (isLinked ? '' : linkStyles(stylesOf(outcome)));
      const before = (part ? '' : site.frame.before(placement, input.layout)) + styles;
      const data = part ? undefined : rendered?.structuredData;
      const isSeparated = isFramed && html.length > 0;
      const isFilled = rendered !== undefined || html.length > 0;
      page.write([
        before + openSlot(placement, { isFilled, isAssigned: site.frame.isAssigned(placement.slot) }),
        isSeparated ? separated(html.toString(), [...assets.styles, ...stylesOf(outcome)]) : html,
        closeSlot + (data ? structuredData(jsonForScript(absoluteUrls(data, origin))) : ''),
      ]);
    },
    /**
     * Early input is handled and starts the page's scripts, which would compete with the first view; the slots below have
     * their styles.
     */
    afterMainSlot() {
      isBelowMain = true;
      if (part) return page.write(MAIN_END, { isFlushed: true });
      page.write(preloadList(files.preloads) + assets.scripts.early.html + (files.styleBelow?.html ?? ''), {
        isFlushed: true,
      });
    },
    end(outcomes: readonly SlotOutcome[], completeness: Completeness) {
      const browserOnly = outcomes.filter(({ placement }) => placement.deadlineMs === 0);
      const { snapshot } = input;
      const extension = addition?.bootData(outcomes);
      const content = pageContentJson({ site, state, outcomes }, encodeState);
      const contentUrl = input.storeContent?.(content);
      const boot = bootJson(
        { site, state, outcomes, snapshot, linked, entries: files.entries, extension },
        contentUrl === undefined ? content.toString() : JSON.stringify(contentUrl),
      );
      const bootElement = `<script type="application/json" id="${BOOT_ELEMENT_ID}">${boot}</script>`;
      if (part) page.write(bootElement);
      else
        page.write(
          linkStyles(files.laterStyles) +
            site.frame.bottom(state.session) +
            browserOnly.map(({ placement }) => openSlot(placement, { isFilled: true }) + closeSlot).join('') +
            (input.structuredData ? structuredData(input.structuredData) : '') +
            assets.scripts.speculation.html +
            `${bootElement}</body></html>`,
        );
      page.end(completeness);
    },
  };
}

/**
 * Writes the page: head and frame at once, then each slot in document order as
 * soon as it and those before it are ready, then the boot data. Slots render in
 * parallel; a slot that fails never fails the page. Resolves to the slots' outcomes.
 */
export async function composePage(
  page: PageStream,
  deps: RenderDeps,
  input: PageInput,
): Promise<readonly SlotOutcome[]> {
  const { signal, mainSlot } = input;
  writeHead(page, input);
  // The head is sent before rendering blocks this thread.
  await nextTurn();
  const { state, completeness }: LoadedState = (await input.complete) ?? {
    state: input.state,
    completeness: 'full',
  };
  const outcomes: SlotOutcome[] = [];
  if (signal.aborted) {
    page.fail(signal.reason);
    return outcomes;
  }
  const request: PageInput = { ...input, state };
  const write = createPageWriter(page, request, deps.renderer.encodeState);
  const mainSlotName = mainSlotOf(input.layout, state)?.slot;
  const renderings = input.layout.map((placement) => {
    if (mainSlot?.placement === placement) return mainSlot;
    if (input.leavesOutSlots && canLeaveOut(placement)) return leaveOut(placement, request);
    return renderPlacement(placement, deps, request);
  });
  for (const rendering of renderings) {
    const outcome = await rendering;
    if (signal.aborted) {
      page.fail(signal.reason);
      return outcomes;
    }
    outcomes.push(outcome);
    write.slot(outcome);
    if (outcome.placement.slot === mainSlotName) write.afterMainSlot();
  }
  write.end(
    outcomes,
    worstOf(
      completeness,
      input.leavesOutSlots ? 'shed' : 'full',
      ...outcomes.map((outcome) => outcome.completeness),
    ),
  );
  return outcomes;
}

/** The slot with the name of its page kind. */
const mainSlotOf = (layout: readonly SlotPlacement[], { page }: PageState): SlotPlacement | undefined =>
  layout.find(({ slot }) => slot === page.kind);
