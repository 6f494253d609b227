import type { Refusal } from '@forecourt/releases/gate';
import { loadRefusal } from '@forecourt/releases/loadRefusal';
import type { TrialFault, TrialResult } from './trialTask.ts';

/** Of entry, chunks and modules; real releases need a twentieth of it. */
const EVALUATION_MS = 1_000;

const REMEDIES: Readonly<Record<TrialFault['kind'], Pick<Refusal, 'rule' | 'remedy'>>> = {
  render: {
    rule: 'BROWSER_RENDER',
    remedy:
      'render what the server knows: no clock, locale, random value, storage or window while rendering; read those in effects',
  },
  error: {
    rule: 'BROWSER_ERROR',
    remedy: 'mount its scenarios in a browser (`npm run dev -- REMOTE`); the console shows the same error',
  },
  policy: {
    rule: 'BROWSER_POLICY',
    remedy: "load only the release's own files, calls and the site's pictures; no `eval`, no HTML from text",
  },
  leftover: {
    rule: 'BROWSER_LEFTOVER',
    remedy: 'return a function from the effect that removes the listener or stops the timer',
  },
};

const EXPECTED: Readonly<Record<TrialFault['kind'], (place: string) => string>> = {
  render: (place) => `${place} renders in Chrome as on the server`,
  error: (place) => `${place} causes no exception and no error in the console of Chrome`,
  policy: (place) => `${place} does nothing that the page's policy refuses`,
  leftover: (place) => `${place} leaves nothing active after it has been unmounted`,
};

/** 'slot results on the recorded page 'empty'' */
const placeOf = (slot: string, page: string): string => `slot ${slot} on the recorded page '${page}'`;

/** Refusals for one kind of fault of one slot. */
const MAX_EACH = 3;

/** Why a release is refused that was tried in a browser. `pages`: names of the recorded pages. */
export function trialRefusals(
  { failure, loadFaults, evaluationMs, renders }: TrialResult,
  pages: readonly string[],
): Refusal[] {
  if (failure) return [loadRefusal('browser', failure.fault, `in Chrome: ${failure.message}`)];
  if (loadFaults.length > 0)
    return loadFaults
      .slice(0, MAX_EACH)
      .map(({ message }) => loadRefusal('browser', 'MODULE', `in Chrome: ${message}`));
  const refusals = renders.flatMap(({ slot, page, faults }) => {
    const kinds = [...new Set(faults.map(({ kind }) => kind))];
    return kinds.flatMap((kind) => {
      const messages = new Set(faults.filter((fault) => fault.kind === kind).map(({ message }) => message));
      // Another HTML than the server's is what React complains about afterwards.
      return [...messages].slice(0, kind === 'render' ? 1 : MAX_EACH).map((found): Refusal => {
        const { rule, remedy } = REMEDIES[kind];
        return { rule, expected: EXPECTED[kind](placeOf(slot, pages[page] ?? '')), found, remedy };
      });
    });
  });
  if (evaluationMs > EVALUATION_MS)
    refusals.push({
      rule: 'EVALUATION_TIME',
      expected: `entry, chunks and modules that are evaluated within ${EVALUATION_MS} ms`,
      found: `${Math.round(evaluationMs)} ms`,
      remedy:
        'compute nothing when a module loads; do it when it is needed, and load large parts by import()',
    });
  return refusals;
}

/** Why a release is refused whose page no longer responded. */
export function hangRefusal(
  at: { readonly slot: string; readonly page: string } | undefined,
  ms: number,
): Refusal {
  if (!at) return loadRefusal('browser', 'MODULE', `in Chrome: it did not load in ${ms / 1000} s`);
  return {
    rule: 'BROWSER_ERROR',
    expected: `${placeOf(at.slot, at.page)} lets the page respond`,
    found: `the page did not respond for ${ms / 1000} s`,
    remedy: 'look for a loop without end in a view, an effect or a timer',
  };
}
