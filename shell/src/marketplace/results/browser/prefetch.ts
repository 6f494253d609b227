import { fetchJson } from '../../../engine/browser/call.ts';

/** An expected search begins within this time, or its results are requested again; ms. */
const EXPECTED_MS = 10_000;

interface Prefetched {
  readonly path: string;
  readonly at: number;
  readonly controller: AbortController;
  readonly response: Promise<unknown>;
}

/** Visitors who save data get nothing that they may not use. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** One response that is requested when its search is expected, such as by the press before a click. */
export function createPrefetch() {
  let newest: Prefetched | undefined;
  const held = (path: string) =>
    newest?.path === path && performance.now() - newest.at < EXPECTED_MS ? newest : undefined;
  return {
    start(path: string): void {
      if (savesData() || held(path)) return;
      newest?.controller.abort();
      const controller = new AbortController();
      const response = fetchJson(path, { signal: controller.signal });
      // The code that takes the response handles its failure.
      response.catch(() => {});
      newest = { path, at: performance.now(), controller, response };
    },
    /** The response for a path, once. */
    take<T>(path: string): Promise<T> | undefined {
      const taken = held(path);
      if (!taken) return undefined;
      newest = undefined;
      return taken.response as Promise<T>;
    },
  };
}
