import { describe, expect, it } from '@jest/globals';
import { hangRefusal, trialRefusals } from './trialRefusals.ts';

const GOOD = { loadFaults: [], evaluationMs: 40, renders: [] };
const PAGES = ['empty', 'ordinary'];
const render = (...faults: { kind: 'render' | 'error'; message: string }[]) => ({
  ...{ slot: 'grid', page: 1, ms: 10, html: '' },
  faults,
});

describe('trialRefusals', () => {
  it('has none for a release without faults', () => {
    expect(trialRefusals({ ...GOOD, renders: [render()] }, PAGES)).toEqual([]);
  });

  it('refuses a release that takes long to evaluate, and says how long', () => {
    expect(trialRefusals({ ...GOOD, evaluationMs: 1_000.4 }, PAGES)).toMatchObject([
      { rule: 'EVALUATION_TIME', found: '1000 ms' },
    ]);
    expect(trialRefusals({ ...GOOD, evaluationMs: 1_000 }, PAGES)).toEqual([]);
  });

  it('names slot and page, each fault once, and of renders only the first difference', () => {
    const twice = { kind: 'error', message: 'no brand' } as const;
    const faults = [
      twice,
      twice,
      { kind: 'render', message: 'another text' } as const,
      { kind: 'render', message: 'React error #418' } as const,
    ];
    const refusals = trialRefusals({ ...GOOD, renders: [render(...faults)] }, PAGES);
    expect(refusals.map(({ rule, found }) => [rule, found])).toEqual([
      ['BROWSER_ERROR', 'no brand'],
      ['BROWSER_RENDER', 'another text'],
    ]);
    for (const { expected } of refusals)
      expect(expected).toContain("slot grid on the recorded page 'ordinary'");
  });

  it('says where a page that no longer responds was', () => {
    expect(hangRefusal(undefined, 10_000)).toMatchObject({ rule: 'BROWSER_LOAD' });
    expect(hangRefusal({ slot: 'grid', page: 'empty' }, 10_000).expected).toContain(
      "slot grid on the recorded page 'empty'",
    );
  });
});
