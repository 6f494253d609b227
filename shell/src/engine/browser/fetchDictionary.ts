import { DICTIONARY_FILES } from '../universal/paths.ts';
import { DICTIONARY_METRIC } from '../universal/responseFacts.ts';

/**
 * Makes the browser fetch the dictionary that the page's response names, with which the next pages have fewer bytes (RFC
 * 9842). Not by a `Link` header: Chromium would fetch it right after the page, with the scripts.
 */
export function fetchDictionary(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const hash = navigation?.serverTiming?.find(({ name }) => name === DICTIONARY_METRIC)?.description;
  if (!hash) return;
  const href = `${DICTIONARY_FILES}/${hash}`;
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'compression-dictionary', href }),
  );
}
