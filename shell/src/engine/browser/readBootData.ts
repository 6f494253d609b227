import type { SearchState } from '@forecourt/shared-contracts/store';
import { BOOT_ELEMENT_ID, type BootData, type PageContent, type BootJson } from '../universal/bootData.ts';
import { readResponseFacts } from '../universal/responseFacts.ts';
import { CallError, fetchJson, persistently, PermanentError } from './call.ts';
import type { SearchResult } from '../../marketplace/results/browser/searchCalls.ts';

/** The boot data of the shown page, which the inline script may have replaced by that of a search. */
const shownPage = () =>
  window.fcEarlySearch?.boot() ?? document.getElementById(BOOT_ELEMENT_ID)?.textContent ?? '';

/** The search of the page's URL as it is now, for a page that the server no longer stores. */
async function searchAnew(): Promise<SearchState> {
  const url = encodeURIComponent(location.pathname + location.search);
  const result = await fetchJson<SearchResult>(`/cars-for-sale/api/search?url=${url}`);
  if (result.kind !== 'page') throw new PermanentError('the URL of the page is no search');
  return { ...result.page, status: 'ready', requestId: '' };
}

/** The page with its content. A slot hydrates only against the content that it was rendered with. */
async function withContent(
  page: BootJson,
  content: PageContent | string,
): Promise<Omit<BootData, 'requestId' | 'failureClaim'>> {
  const { content: _, state, slots, ...others } = page;
  if (typeof content !== 'string')
    return {
      ...others,
      state: { ...state, search: content.search },
      slots: slots.map((slot) => ({ ...slot, data: content.data[slot.slot] })),
    };
  try {
    return await withContent(page, await fetchJson<PageContent>(content));
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
    return {
      ...others,
      state: { ...state, search: await searchAnew() },
      slots: slots.map((slot) => ({ ...slot, rendered: slot.rendered === 'none' ? 'none' : 'fallback' })),
    };
  }
}

/**
 * The boot data of the shown page and its content. While the content cannot be fetched, it goes on trying: links and
 * forms keep working. Undefined on pages without slots, e.g. the error screen.
 */
export async function readBootData(): Promise<BootData | undefined> {
  const json = shownPage();
  if (!json) return undefined;
  const page = JSON.parse(json) as BootJson;
  const complete = await persistently(
    () => withContent(page, page.content),
    () => {},
  );
  await window.fcEarlySearch?.handOver();
  // A search that ended only now has replaced the page.
  if (shownPage() !== json) return readBootData();
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return { ...complete, ...readResponseFacts(navigation?.serverTiming) };
}
