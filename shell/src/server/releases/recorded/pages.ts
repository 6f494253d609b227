import empty from './empty.json' with { type: 'json' };
import { oddPage } from './oddPage.ts';
import ordinary from './ordinary.json' with { type: 'json' };
import { recordedPageSchema, type RecordedPage } from './schema.ts';
import { slotPages } from './slotPages.ts';

/**
 * The pages over which the gate renders every slot of a release: results as the
 * API answered them, with extreme values that the schemas allow, and with an
 * upstream that is down; and one page of each other kind. `record.ts` records
 * the results pages.
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
