import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { RootState } from '@forecourt/shared-contracts/store';
import { bootData } from '../page/boot.ts';
import { BOOT_ELEMENT_ID, type BootSlot } from '../page/bootData.ts';
import type { ShellAssets } from '../page/assets.ts';
import { openSlot, closeSlot, pageBottom, siteBar, siteIcon } from '../page/frame.ts';
import { cssForStyle, escapeHtml, jsonForScript } from '../page/html.ts';
import { LAYOUT } from '../page/layout.ts';
import { releaseOf, type SlotOutcome } from '../page/renderSlots.ts';
import { measureSlot } from '../overrides/measureSlot.ts';
import type { TestedPage } from '../overrides/testedPage.ts';
import type { Snapshot } from '../releases/snapshot.ts';

/** One of the shell's own pages: a vehicle, a comparison, a price. */
export interface PageDocument {
  readonly title: string;
  readonly description: string;
  /** Path of the page that search engines should know. */
  readonly canonical: string;
  readonly isIndexed: boolean;
  /** Path and query to come back to after signing in. */
  readonly current: string;
  /** Most likely the largest paint. */
  readonly heroImage?: string | undefined;
  /** JSON-LD. */
  readonly structuredData?: object;
  /** HTML inside the main landmark. */
  readonly body: string;
  readonly state: RootState;
  /** Slots that a script may wake, e.g. the dialogs of leads. */
  readonly slots: readonly string[];
}

export interface DocumentParts {
  readonly assets: ShellAssets;
  readonly snapshot: Snapshot;
  /** What a tester's page has beyond everybody's. */
  readonly tested?: TestedPage | undefined;
  readonly origin: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** The slots of this page: their HTML is made in the browser, when they are asked for. */
function bootSlots(wanted: readonly string[], snapshot: Snapshot): SlotOutcome[] {
  return LAYOUT.filter(({ slot }) => wanted.includes(slot)).map((placement) => ({
    placement,
    release: releaseOf(placement, snapshot),
    rendered: undefined,
  }));
}

/** A whole page of the shell's own: static HTML, and the page's slots for what needs a script. */
export function renderDocument(page: PageDocument, parts: DocumentParts): string {
  const { assets, origin, nonce, snapshot, requestId, tested } = parts;
  const { session } = page.state;
  const { name } = BRANDS[session.brand];
  const outcomes = bootSlots(page.slots, snapshot);
  const remotes = new Map(
    [...snapshot].filter(([remote]) => outcomes.some(({ release }) => release?.manifest.name === remote)),
  );
  const boot = {
    ...bootData(page.state, outcomes, remotes, new Set()),
    page: 'detail',
    requestId,
    ...(tested && { tester: { ...tested.boot, slots: outcomes.map(measureSlot) } }),
  };
  const slots = outcomes
    .filter(({ placement }) => boot.slots.some(({ slot }: BootSlot) => slot === placement.slot))
    .map(({ placement }) => openSlot(placement, true) + closeSlot)
    .join('');
  return (
    `<!doctype html><html lang="en" data-brand="${session.brand}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(`${page.title} | ${name}`)}</title>` +
    `<meta name="description" content="${escapeHtml(page.description)}">` +
    `<link rel="canonical" href="${escapeHtml(origin + page.canonical)}">` +
    (page.isIndexed ? '' : '<meta name="robots" content="noindex">') +
    `<link rel="icon" href="${siteIcon}">` +
    (page.heroImage
      ? `<link rel="preload" as="image" href="${escapeHtml(page.heroImage)}" fetchpriority="high">`
      : '') +
    `<style nonce="${nonce}">${cssForStyle(`${assets.css}\n${assets.pagesCss}${tested?.css ?? ''}`)}</style>` +
    `<script defer nonce="${nonce}" src="${escapeHtml(assets.script.url)}" integrity="${assets.script.integrity}" crossorigin="anonymous"></script>` +
    `</head><body><a class="fc-skip" href="#main">Skip to the page’s content</a>${tested?.banner ?? ''}${siteBar(session, page.current)}` +
    `<main class="fc-main" id="main" tabindex="-1">${page.body}` +
    pageBottom(name) +
    slots +
    (page.structuredData
      ? `<script type="application/ld+json" nonce="${nonce}">${jsonForScript(page.structuredData)}</script>`
      : '') +
    `<script type="application/json" id="${BOOT_ELEMENT_ID}" nonce="${nonce}">${jsonForScript(boot)}</script></body></html>`
  );
}
