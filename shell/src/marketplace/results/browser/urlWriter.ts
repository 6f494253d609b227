import type { SearchCriteria } from '@forecourt/search/criteria';
import { afterPaint } from '@forecourt/slots';
import type { PageHistory } from './pageHistory.ts';

/** The URL of a search, and what it does to the history. */
export interface SearchUrl {
  readonly url: string;
  readonly criteria: SearchCriteria;
  readonly history: 'push' | 'replace' | 'none';
}

/** Writes URLs of searches into the history. Browsers take long for that, so controls are painted first. */
export function createUrlWriter({ write }: Pick<PageHistory, 'write'>) {
  let waiting: Parameters<PageHistory['write']> | undefined;
  let cancel = () => {};
  /** The URL of the current entry as it will be when no write waits; undefined if Back or Forward led there. */
  let written: string | undefined;
  const drop = () => {
    cancel();
    waiting = undefined;
  };
  const flush = () => {
    const args = waiting;
    drop();
    if (args) write(...args);
  };
  /** After the write that waits. */
  const writeLater = (...args: Parameters<PageHistory['write']>) => {
    flush();
    [, written] = args;
    waiting = args;
    cancel = afterPaint(flush);
  };
  return {
    /** Writes the URL of a search that begins, after that of the search before it. */
    begin({ history, url, criteria }: SearchUrl): void {
      // After Back, another history entry is current.
      if (history === 'none') {
        written = undefined;
        return drop();
      }
      writeLater(history, url, criteria);
    },
    /** Completes the write that waits. */
    flush,
    /** Replaces the URL of a request by that of its response, if it is another one. */
    settle({ history, url, criteria }: SearchUrl): void {
      // A visited entry keeps its offset only until the page has scrolled there.
      if (history === 'none') write('replace', url, criteria);
      else if (url !== written) writeLater('replace', url, criteria);
    },
  };
}
