import { setImmediate as nextTurn } from 'node:timers/promises';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { RootState } from '@forecourt/shared-contracts/store';
import type { PageLog } from '../pageCache/pageLog.ts';
import { measureSlot } from '../overrides/measureSlot.ts';
import type { TestedPage } from '../overrides/testedPage.ts';
import { type FileLink, releaseFileLink } from '../releases/release.ts';
import { bootData } from './boot.ts';
import { BOOT_ELEMENT_ID } from './bootData.ts';
import type { ShellAssets } from './assets.ts';
import {
  closeSlot,
  earlyInputRecorder,
  OPENS_BEFORE,
  openSlot,
  pageBottom,
  pageHead,
  pageTop,
  scriptPreloads,
  styleLinks,
} from './frame.ts';
import { jsonForScript } from './html.ts';
import { isEarly, type EarlyFilesOf } from './earlyFiles.ts';
import { LAYOUT } from './layout.ts';
import { filled, NONCE, REQUEST_ID, type PagePart } from './parts.ts';
import { plainHero, plainResults } from './plainResults.ts';
import { renderPlacement, type RenderDeps, type SlotOutcome, type SlotRequest } from './renderSlots.ts';

export interface PageInput extends SlotRequest {
  readonly origin: string;
  readonly assets: ShellAssets;
  readonly earlyFiles: EarlyFilesOf;
  /** HTML at the end of the page, for search engines. */
  readonly structuredData: string;
  /** Told when a slot is shown by its fallback. */
  readonly degrade: () => void;
  /** What a tester's page has beyond everybody's. */
  readonly tested?: Pick<TestedPage, 'banner' | 'css' | 'boot'> | undefined;
}

/** Styles of a slot below the first view, to be linked where it stands. */
function stylesOf({ release, placement }: SlotOutcome): FileLink[] {
  if (!release) return [];
  const { styles = [] } = release.manifest.slots[placement.slot] ?? {};
  return styles.map((path) => releaseFileLink(release, path));
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

/** JSON-LD, where React never looks. */
const structuredData = (json: string): PagePart[] =>
  filled`<script type="application/ld+json" nonce="${NONCE}">${json}</script>`;

/**
 * Writes the page: head and frame at once, then each slot in document order as
 * soon as it and those before it are ready, then the boot data. All slots are
 * rendered side by side; none of them can fail the page.
 */
export async function composePage(log: PageLog, deps: RenderDeps, input: PageInput): Promise<void> {
  const { state, origin, assets, earlyFiles, snapshot, signal, tested } = input;
  const { css: early, laterStyles, preloads, styles } = earlyFiles(snapshot);
  const css = tested ? early + tested.css : early;
  const brought = new Set(styles);
  const bring = (links: readonly FileLink[]) => {
    const fresh = links.filter(({ url }) => !brought.has(url));
    for (const { url } of fresh) brought.add(url);
    return styleLinks(fresh);
  };
  const { spotlights, vehicleHighlight, listings } = state.search;
  const first = spotlights[0]?.premium[0] ?? vehicleHighlight ?? listings[0];
  const heroImage = first?.images.sources[first.images.primary]?.src;

  log.write(
    [...pageHead({ state, origin, css, entry: assets.script, heroImage }), pageTop(state, tested?.banner)],
    {
      isFlushed: true,
    },
  );
  // The head leaves before this turn's cloning and rendering begin.
  await nextTurn();
  if (signal.aborted) return log.fail(signal.reason);

  const pending = LAYOUT.map((placement) => renderPlacement(placement, deps, input));
  const outcomes: SlotOutcome[] = [];
  for (const [at, placement] of LAYOUT.entries()) {
    const outcome = await (pending[at] as Promise<SlotOutcome>);
    if (signal.aborted) return log.fail(signal.reason);
    outcomes.push(outcome);
    if (placement.deadlineMs > 0) {
      const shown = slotHtml(outcome, input);
      const opened = isEarly(placement) || shown === '' ? '' : bring(stylesOf(outcome));
      if (!outcome.rendered) input.degrade();
      log.write([
        (OPENS_BEFORE[placement.slot] ?? '') +
          opened +
          openSlot(placement, outcome.rendered !== undefined || shown !== '') +
          shown +
          closeSlot,
        ...(outcome.rendered?.structuredData
          ? structuredData(jsonForScript(outcome.rendered.structuredData))
          : []),
      ]);
    }
    if (placement.slot === 'results')
      log.write([...earlyInputRecorder(), bring(laterStyles), ...scriptPreloads(preloads)], {
        isFlushed: true,
      });
  }
  const boot = {
    ...bootData(state, outcomes, snapshot, brought),
    ...(tested && { tester: { ...tested.boot, slots: outcomes.map(measureSlot) } }),
  };
  const needed = LAYOUT.filter(({ deadlineMs }) => deadlineMs === 0)
    .map((placement) => openSlot(placement, true) + closeSlot)
    .join('');
  log.write([
    pageBottom(BRANDS[state.session.brand].name) + needed,
    ...structuredData(input.structuredData),
    // The id is the answer's own, the state that of the rendering.
    ...filled`<script type="application/json" id="${BOOT_ELEMENT_ID}" nonce="${NONCE}">{"requestId":"${REQUEST_ID}",${jsonForScript(boot).slice(1)}</script></body></html>`,
  ]);
  log.end();
}
