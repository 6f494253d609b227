import { setImmediate as nextTurn } from 'node:timers/promises';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { RootState } from '@forecourt/shared-contracts/store';
import { BOOT_ELEMENT_ID } from '../universal/bootData.ts';
import type { SlotPlacement } from './placement.ts';
import { type FileLink, releaseFileLink } from '../rendering/release.ts';
import { bootJson, pageContentJson } from './boot.ts';
import { type EarlyFiles, isInFirstView } from './earlyFiles.ts';
import {
  type HeadFields,
  closeSlot,
  markupBefore,
  openSlot,
  pageBottom,
  pageHead,
  pageTop,
  separated,
  styleLinks,
} from '../../marketplace/frame/frame.ts';
import { type InlineElement, escapeHtml, jsonForScript } from './html.ts';
import { preloadList, type ShellAssets } from './shellAssets.ts';
import type { PageAddition } from '../pageExtension.ts';
import type { PageLog } from './pageLog.ts';
import {
  type RenderDeps,
  type SlotOutcome,
  type SlotRequest,
  canLeaveOut,
  leaveOut,
  renderPlacement,
} from './renderSlots.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import { detailUrl, encodeUrl } from '@forecourt/shared-contracts/url';
import { EMPTY_SLUG_REFERENCE, setPage } from '@forecourt/shared-contracts/criteria';
import { formatDollars, formatCount } from '@forecourt/shared-contracts/rules';

/** One page of any kind; `state.page.kind` selects its layout. */
export interface PageInput extends SlotRequest {
  /** The state that the slots render; the head is written before it is there. Default: `state`. */
  readonly complete?: Promise<RootState>;
  readonly layout: readonly SlotPlacement[];
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
  /** Called when a slot shows its fallback or lacks late data. */
  readonly degrade: () => void;
  /** Under load: optional slots are left out, and this is called for each. */
  readonly onLeftOut?: (() => void) | undefined;
  /** The main slot, if it was rendered before the head. */
  readonly mainSlot?: SlotOutcome;
  readonly addition?: PageAddition | undefined;
  /** Stores the page's content, and returns the URL at which browsers fetch it. Without it the page contains it. */
  readonly storeContent?: ((json: Buffer) => string) | undefined;
}

/** The shell's HTML for required slots that failed to render. */
const FALLBACKS: Readonly<Record<string, (state: RootState) => string>> = {
  hero: plainHero,
  results: plainResults,
};

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

const preloadContent = (url: string): string =>
  `<link rel="preload" as="fetch" crossorigin fetchpriority="low" href="${escapeHtml(url)}">`;

const stylesOf = ({ release, placement }: SlotOutcome): FileLink[] =>
  (release?.manifest.slots[placement.slot]?.styles ?? []).map((path) => releaseFileLink(release!, path));

function writeHead(log: PageLog, input: PageInput): void {
  const { state, origin, assets, head, addition } = input;
  const { page, session } = state;
  const { loader } = assets.scripts;
  const skipTo = page.kind === 'results' ? ('listings' as const) : ('main' as const);
  log.write(
    pageHead({
      head,
      brand: session.brand,
      origin,
      style: input.style,
      styles: input.earlyFiles.stylesBelow,
      loader,
    }) + pageTop(session, { currentUrl: input.currentUrl, banner: addition?.banner, skipTo }),
    { isFlushed: true },
  );
}

/** Writes the parts after the head and remembers which styles are linked. */
function createPageWriter(log: PageLog, input: PageInput, encodeState: SlotRenderer['encodeState']) {
  const { state, origin, assets, addition } = input;
  const { earlyFiles: files } = input;
  const linked = new Set(files.styles);
  let isBelowMain = false;
  const linkStyles = (links: readonly FileLink[]) => {
    const missing = links.filter(({ url }) => !linked.has(url));
    for (const { url } of missing) linked.add(url);
    return styleLinks(missing);
  };
  return {
    slot(outcome: SlotOutcome) {
      const { placement, rendered } = outcome;
      if (placement.deadlineMs === 0) return;
      const html = rendered ? (rendered.bytes ?? rendered.html) : (FALLBACKS[placement.slot]?.(state) ?? '');
      const isFramed = placement.isolation === 'frame';
      const isLinked = isInFirstView(placement) || isFramed || html.length === 0;
      // A style sheet in the body stops the parser until it is loaded: none but the preloaded ones before the first view's slots.
      const later = isBelowMain && !isInFirstView(placement) ? linkStyles(files.laterStyles) : '';
      const styles = later + (isLinked ? '' : linkStyles(stylesOf(outcome)));
      if (outcome.isLeftOut) input.onLeftOut?.();
      else if (rendered ? rendered.isPartial : !placement.renderedBy) input.degrade();
      const before = markupBefore(placement, input.layout) + styles;
      const data = rendered?.structuredData;
      const isSeparated = isFramed && html.length > 0;
      log.write([
        before + openSlot(placement, rendered !== undefined || html.length > 0),
        isSeparated ? separated(html.toString(), [...assets.styles, ...stylesOf(outcome)]) : html,
        closeSlot + (data ? structuredData(jsonForScript(absoluteUrls(data, origin))) : ''),
      ]);
    },
    /**
     * Everything that must not compete with the first view: early input is handled, the remotes' scripts are preloaded in
     * parallel with the shell's. The styles come last, because an inline script waits for those above it.
     */
    afterMainSlot() {
      isBelowMain = true;
      log.write(preloadList(files.preloads) + assets.scripts.early.html + linkStyles(files.stylesBelow), {
        isFlushed: true,
      });
    },
    end(outcomes: readonly SlotOutcome[]) {
      const browserOnly = outcomes.filter(({ placement }) => placement.deadlineMs === 0);
      const { snapshot } = input;
      const extension = addition?.bootData(outcomes);
      const content = pageContentJson({ state, outcomes }, encodeState);
      const contentUrl = input.storeContent?.(content);
      const boot = bootJson(
        { state, outcomes, snapshot, linked, entries: files.entries, extension },
        contentUrl === undefined ? content.toString() : JSON.stringify(contentUrl),
      );
      log.write(
        linkStyles(files.laterStyles) +
          pageBottom(BRANDS[state.session.brand].name) +
          browserOnly.map(({ placement }) => openSlot(placement, true) + closeSlot).join('') +
          (input.structuredData ? structuredData(input.structuredData) : '') +
          (contentUrl === undefined ? '' : preloadContent(contentUrl)) +
          assets.scripts.speculation.html +
          `<script type="application/json" id="${BOOT_ELEMENT_ID}">${boot}</script></body></html>`,
      );
      log.end();
    },
  };
}

/**
 * Writes the page: head and frame at once, then each slot in document order as
 * soon as it and those before it are ready, then the boot data. Slots render in
 * parallel; a slot that fails never fails the page.
 */
export async function composePage(log: PageLog, deps: RenderDeps, input: PageInput): Promise<void> {
  const { signal, mainSlot } = input;
  writeHead(log, input);
  // The head is sent before rendering blocks this thread.
  await nextTurn();
  const state = input.complete ? await input.complete : input.state;
  if (signal.aborted) return log.fail(signal.reason);

  const page: PageInput = { ...input, state };
  const write = createPageWriter(log, page, deps.renderer.encodeState);
  const renderings = input.layout.map((placement) => {
    if (mainSlot?.placement === placement) return mainSlot;
    if (input.onLeftOut && canLeaveOut(placement)) return leaveOut(placement, page);
    return renderPlacement(placement, deps, page);
  });
  const outcomes: SlotOutcome[] = [];
  for (const rendering of renderings) {
    const outcome = await rendering;
    if (signal.aborted) return log.fail(signal.reason);
    outcomes.push(outcome);
    write.slot(outcome);
    if (outcome.placement.slot === state.page.kind) write.afterMainSlot();
  }
  return write.end(outcomes);
}

/** Fallback of the results slot: the loaded listings as a plain list. */
export function plainResults({ search }: RootState): string {
  const { listings, totalResultCount, criteria } = search;
  if (listings.length === 0) {
    return '<section class="fc-plain" id="listings"><p>Update filter criteria to see more results</p></section>';
  }
  const items = listings.map((listing) => {
    const price = listing.pricingDetail.derivedPrice;
    return (
      `<li><a href="${escapeHtml(detailUrl(listing, 'listing'))}">${escapeHtml(listing.title)}</a>` +
      `<span>${price === undefined ? 'Call for price' : escapeHtml(formatDollars(price))}</span></li>`
    );
  });
  const next = criteria.firstRecord + criteria.numRecords;
  const more =
    next < totalResultCount
      ? `<p><a class="fc-action" rel="next" href="${escapeHtml(encodeUrl(setPage(criteria, next), EMPTY_SLUG_REFERENCE))}">See More Results</a></p>`
      : '';
  return (
    '<section class="fc-plain" id="listings" aria-labelledby="results-heading">' +
    `<h2 id="results-heading" tabindex="-1">${formatCount(totalResultCount, 'Match', 'Matches')}</h2>` +
    `<ul>${items.join('')}</ul>${more}</section>`
  );
}

/** Fallback of the hero: the page keeps its heading. */
export function plainHero({ search }: RootState): string {
  return `<h1 tabindex="-1">${escapeHtml(search.texts.heading)}</h1>`;
}
