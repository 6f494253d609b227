import { BOOT_ELEMENT_ID, type BootData, type PageContent, type BootJson } from '../universal/bootData.ts';
import { readResponseFacts } from '../universal/responseFacts.ts';
import type { BrowserSite } from './browserSite.ts';
import { CallError, fetchJson, persistently } from './call.ts';

type PageSource = Pick<BrowserSite, 'earlyNavigation' | 'loadContent'>;

/** The boot data of the shown page, which an early navigation may have replaced. */
const shownPage = () => document.getElementById(BOOT_ELEMENT_ID)?.textContent ?? '';

/** The page with its content. A slot hydrates only against the content that it was rendered with. */
async function withContent(
  page: BootJson,
  content: PageContent | string,
  loadContent: PageSource['loadContent'],
): Promise<Omit<BootData, 'requestId' | 'failureClaim'>> {
  const { content: _, state, slots, ...others } = page;
  if (typeof content !== 'string') {
    const { data, ...contentState } = content;
    return {
      ...others,
      state: { ...state, ...contentState },
      slots: slots.map((slot) => ({ ...slot, data: data[slot.slot] })),
    };
  }
  try {
    return await withContent(page, await fetchJson<PageContent>(content), loadContent);
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
    return {
      ...others,
      state: { ...state, ...(await loadContent()) },
      slots: slots.map((slot) => ({ ...slot, rendered: slot.rendered === 'none' ? 'none' : 'fallback' })),
    };
  }
}

/**
 * The boot data of the shown page and its content. While the content cannot be fetched, it goes on trying: links and
 * forms keep working. Undefined on pages without slots, e.g. the error screen.
 */
export async function readBootData(site: PageSource): Promise<BootData | undefined> {
  const json = shownPage();
  if (!json) return undefined;
  const page = JSON.parse(json) as BootJson;
  const complete = await persistently(
    () => withContent(page, page.content, site.loadContent),
    () => {},
  );
  await site.earlyNavigation()?.handOver();
  // A navigation that ended only now has replaced the page.
  if (shownPage() !== json) return readBootData(site);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return { ...complete, ...readResponseFacts(navigation?.serverTiming) };
}
