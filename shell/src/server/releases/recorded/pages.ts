import empty from './empty.json' with { type: 'json' };
import { oddPage } from './oddPage.ts';
import ordinary from './ordinary.json' with { type: 'json' };
import { recordedPageSchema, type RecordedPage } from './schema.ts';
import { slotPages } from './slotPages.ts';

/**
 * The pages on which the gate renders the slots of a release: recorded results, the
 * same with extreme values, with a failing upstream, and one page of each other
 * kind. `record.ts` records the results pages.
 */
export function recordedPages(): readonly RecordedPage[] {
  const page = recordedPageSchema.parse(ordinary);
  return [
    recordedPageSchema.parse(empty),
    page,
    { ...page, name: 'odd', state: oddPage(page.state) },
    { ...page, name: 'calls-fail', answers: {} },
    ...slotPages(page),
  ];
}
