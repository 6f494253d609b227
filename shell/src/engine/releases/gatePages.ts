import type { GatePage } from '@forecourt/releases/gatePages';
import { fallbackOf } from '../gateway/callFailure.ts';
import type { PageLayouts } from '../layout/permissions.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { Site } from '../site.ts';
import type { RecordedPage } from './recordedPage.ts';

/** What a call without recorded data fails with. */
const FAILURE = 'UNREACHABLE';

/** The recorded result of a call; a call without one fails as in the gateway. */
export function answerOf(
  { answers }: Pick<RecordedPage, 'answers'>,
  name: string,
  calls: Site['calls'],
): GatePage['answers'][string] {
  if (Object.hasOwn(answers, name)) return { data: answers[name] };
  const fallback = calls[name]?.fallback ?? { kind: 'required' };
  if (fallback.kind === 'required') return { code: FAILURE };
  return { data: fallbackOf(fallback, { code: FAILURE, upstreamCode: undefined }) };
}

const renderedBy = ({ deadlineMs, renderedBy: by }: SlotPlacement) =>
  deadlineMs > 0 && by !== 'browser' ? 'server' : 'browser';

/** The pages as a program needs them that doesn't know the site. */
export function gatePages({
  layouts,
  calls,
  recordedPages,
}: {
  readonly layouts: PageLayouts;
  readonly calls: Site['calls'];
  readonly recordedPages: Site['recordedPages'];
}): readonly GatePage[] {
  const names = Object.keys(calls);
  return recordedPages().map((page) => {
    const { name, url, state, isShown } = page;
    const placements = layouts[state.page.kind] ?? [];
    return {
      ...{ name, url, isShown, state: { ...state }, kind: state.page.kind },
      answers: Object.fromEntries(names.map((call) => [call, answerOf(page, call, calls)])),
      slots: Object.fromEntries(
        placements
          .filter(({ source }) => source !== 'shell')
          .map((placement) => [placement.slot, renderedBy(placement)]),
      ),
    };
  });
}
