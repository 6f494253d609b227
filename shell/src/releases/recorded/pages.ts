import empty from './empty.json' with { type: 'json' };
import { oddPage } from './oddPage.ts';
import ordinary from './ordinary.json' with { type: 'json' };
import { recordedPageSchema, type RecordedPage } from './schema.ts';

/**
 * The pages over which every slot of a release is tried: as the API answered
 * them, with all that the schemas allow, and with an upstream that is down.
 * `record.ts` records them anew.
 */
export function recordedPages(): readonly RecordedPage[] {
  const page = recordedPageSchema.parse(ordinary);
  return [
    recordedPageSchema.parse(empty),
    page,
    { ...page, name: 'odd', state: oddPage(page.state) },
    { ...page, name: 'calls-fail', answers: {} },
  ];
}
