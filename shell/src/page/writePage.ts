import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { RootState } from '@forecourt/shared-contracts/store';
import { releaseFilePath } from '@forecourt/shared-contracts/slots/release';
import { bootData } from './boot.ts';
import { BOOT_ELEMENT_ID } from './bootData.ts';
import type { ShellAssets } from './assets.ts';
import { closeSlot, OPENS_BEFORE, openSlot, pageBottom, pageHead, pageTop, scriptPreloads } from './frame.ts';
import { jsonForScript } from './html.ts';
import { isEarly, type EarlyFilesOf } from './earlyFiles.ts';
import { LAYOUT } from './layout.ts';
import { plainHero, plainResults } from './plainResults.ts';
import { renderPlacement, type RenderDeps, type SlotOutcome, type SlotRequest } from './renderSlots.ts';

export interface PageInput extends SlotRequest {
  readonly origin: string;
  readonly nonce: string;
  readonly assets: ShellAssets;
  readonly earlyFiles: EarlyFilesOf;
}

/** Compression middleware adds `flush`. */
type Flushable = ServerResponse & { flush?: () => void };

/** Styles of a slot below the first view, linked where it stands; the browser paints what is above without them. */
function lateStyles({ release, placement }: SlotOutcome, inlined: ReadonlySet<string>): string {
  if (!release) return '';
  const { name, version, slots, files } = release.manifest;
  return (slots[placement.slot]?.styles ?? [])
    .map((path) => ({ url: releaseFilePath(name, version, path), integrity: files[path]?.integrity ?? '' }))
    .filter(({ url }) => !inlined.has(url))
    .map(
      ({ url, integrity }) =>
        `<link rel="stylesheet" href="${url}" integrity="${integrity}" crossorigin="anonymous">`,
    )
    .join('');
}

/** What the shell shows itself where a required slot has no HTML. */
const FALLBACKS: Readonly<Record<string, (state: RootState) => string>> = {
  hero: plainHero,
  results: plainResults,
};

function slotHtml(outcome: SlotOutcome, input: PageInput): string {
  const { placement, rendered } = outcome;
  if (rendered) return rendered.html;
  return FALLBACKS[placement.slot]?.(input.state) ?? '';
}

/** A slot's JSON-LD beside its element, where React never looks. */
const structuredData = ({ rendered }: SlotOutcome): string =>
  rendered?.structuredData
    ? `<script type="application/ld+json">${jsonForScript(rendered.structuredData)}</script>`
    : '';

/** Resolves when the socket takes more, or is gone. */
const drained = (response: ServerResponse, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });

/**
 * Streams the page: head and frame at once, then each slot in document order as
 * soon as it and those before it are ready, then the boot data. All slots are
 * rendered side by side; none of them can fail the page.
 */
export async function writePage(response: Flushable, deps: RenderDeps, input: PageInput): Promise<void> {
  const { state, nonce, origin, assets, earlyFiles, snapshot, requestId, signal } = input;
  const { css, preloads, styles } = earlyFiles(snapshot);
  const inlined = new Set(styles);
  const first = state.search.spotlights[0]?.premium[0] ?? state.search.listings[0];
  const heroImage = first?.images.sources[first.images.primary]?.src;
  const write = async (html: string) => {
    if (!signal.aborted && !response.write(html)) await drained(response, signal);
  };

  await write(pageHead({ state, origin, nonce, css, entry: assets.script, heroImage }) + pageTop(state));
  response.flush?.();
  // The head leaves before this turn's cloning and rendering begin.
  await nextTurn();
  if (signal.aborted) return;

  const pending = LAYOUT.map((placement) => renderPlacement(placement, deps, input));
  const outcomes: SlotOutcome[] = [];
  for (const [at, placement] of LAYOUT.entries()) {
    const outcome = await (pending[at] as Promise<SlotOutcome>);
    if (signal.aborted) return;
    outcomes.push(outcome);
    const html = slotHtml(outcome, input);
    const opened = isEarly(placement) ? '' : lateStyles(outcome, inlined);
    if (placement.deadlineMs > 0) {
      const shown = html === '' ? '' : opened;
      if (shown) for (const url of linkedUrls(outcome)) inlined.add(url);
      await write(
        (OPENS_BEFORE[placement.slot] ?? '') +
          shown +
          openSlot(placement, outcome.rendered !== undefined || html !== '') +
          html +
          closeSlot +
          structuredData(outcome),
      );
    }
    if (placement.slot === 'results') {
      await write(scriptPreloads(preloads, nonce));
      response.flush?.();
    }
  }
  const boot = bootData(state, outcomes, snapshot, inlined, requestId);
  const needed = LAYOUT.filter(({ deadlineMs }) => deadlineMs === 0)
    .map((placement) => openSlot(placement, true) + closeSlot)
    .join('');
  await write(
    pageBottom(BRANDS[state.session.brand].name) +
      needed +
      `<script type="application/json" id="${BOOT_ELEMENT_ID}" nonce="${nonce}">${jsonForScript(boot)}</script></body></html>`,
  );
  response.end();
}

function linkedUrls({ release, placement }: SlotOutcome): string[] {
  if (!release) return [];
  const { name, version, slots } = release.manifest;
  return (slots[placement.slot]?.styles ?? []).map((path) => releaseFilePath(name, version, path));
}
