import type { SearchCriteria } from '@forecourt/search/criteria';
import { createAfterPaint } from '../../../engine/browser/mountTiming.ts';
import type { PageHistory } from './pageHistory.ts';

/** The URL of a search, and what it does to the history. */
export interface SearchUrl {
  readonly url: string;
  readonly criteria: SearchCriteria;
  readonly history: 'push' | 'replace' | 'none';
}

/** Writes URLs of searches into the history. Browsers take long for that, so controls are painted first. */
export function createUrlWriter({ write }: Pick<PageHistory, 'write'>) {
  const afterPaint = createAfterPaint();
  /** The URL of the current entry as it will be when pending writes are done; undefined if Back or Forward led there. */
  let written: string | undefined;
  const writeLater = (...args: Parameters<PageHistory['write']>) => {
    [, written] = args;
    afterPaint.run(() => write(...args));
  };
  return {
    /** Writes the URL of a search that begins, after that of the search before it. */
    begin({ history, url, criteria }: SearchUrl): void {
      // After Back, another history entry is current.
      if (history === 'none') {
        written = undefined;
        return afterPaint.drop();
      }
      afterPaint.flush();
      writeLater(history, url, criteria);
    },
    /** Completes pending writes. */
    flush: afterPaint.flush,
    /** Replaces the URL of a request by that of its response, if it is another one. */
    settle({ history, url, criteria }: SearchUrl): void {
      // A visited entry keeps its offset only until the page has scrolled there.
      if (history === 'none') write('replace', url, criteria);
      else if (url !== written) writeLater('replace', url, criteria);
    },
  };
}
