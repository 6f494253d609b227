import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { PhotoProblem } from '../domain/photo.ts';
import { createDownload, type DownloadParts } from './downloadPhoto.ts';
import type { DuePhoto } from './photoStore.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** ms until the next attempt after each failed one; after the last there is none. */
const RETRY_AFTER_MS = [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;
/** URLs of one round; listings are published at its end. */
const ROUND = 60;
/** Simultaneous downloads, in all. */
const DOWNLOADS = 6;
/** Failures of a host in a row after which its other photos wait for the next attempt. */
const HOST_FAILURES = 5;
/** A host that answers is asked again at once; these say that it doesn't. */
const HOST_PROBLEMS = new Set<PhotoProblem>(['UNREACHABLE', 'TIMEOUT', 'HTTP_429', 'HTTP_503']);

export interface PhotoFetcher {
  /** Fetches due photos until none is left or the signal is aborted; returns how many were tried. */
  run(signal?: AbortSignal): Promise<number>;
  /** Deletes photos that no listing uses any more; returns their number. */
  sweep(): Promise<number>;
}

interface PhotoFetcherParts extends DownloadParts {
  readonly logger: Logger;
  readonly now?: () => number;
  /** ms for which photos of removed listings stay: open pages still show them. */
  readonly retentionMs?: number;
}

export function createPhotoFetcher({
  store,
  files,
  encoder,
  logger,
  internalOrigins,
  now = Date.now,
  retentionMs = HOUR_MS,
}: PhotoFetcherParts): PhotoFetcher {
  const download = createDownload({ store, files, encoder, internalOrigins });
  const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

  /** Fetches one photo, unless its host has failed often. */
  async function attempt(photo: DuePhoto, failures: Map<string, number>): Promise<void> {
    const host = hostOf(photo.url);
    if ((failures.get(host) ?? 0) >= HOST_FAILURES)
      return store.postpone(photo.url, now() + RETRY_AFTER_MS[0]);
    const result = await download(photo);
    if (typeof result !== 'string') {
      failures.delete(host);
      return store.stored(photo.url, result);
    }
    if (HOST_PROBLEMS.has(result)) failures.set(host, (failures.get(host) ?? 0) + 1);
    const after = RETRY_AFTER_MS[photo.attempts];
    store.failed(photo.url, result, after === undefined ? null : now() + after);
    logger.debug({ url: photo.url, problem: result }, 'photo not fetched');
  }

  async function round(photos: DuePhoto[], failures: Map<string, number>): Promise<void> {
    const queue = [...photos];
    const work = async () => {
      for (let photo = queue.shift(); photo; photo = queue.shift()) await attempt(photo, failures);
    };
    await Promise.all(Array.from({ length: DOWNLOADS }, work));
    store.publish(photos.map(({ url }) => url));
  }

  return {
    async run(signal) {
      const failures = new Map<string, number>();
      let tried = 0;
      while (!signal?.aborted) {
        const photos = store.due(now(), ROUND);
        if (photos.length === 0) break;
        await round(photos, failures);
        tried += photos.length;
        // Requests of visitors come first.
        await wait(0);
      }
      return tried;
    },
    async sweep() {
      const unused = store.release(now() - retentionMs);
      // A photo may have come back between the two steps.
      for (const hash of unused) if (store.isUnused(hash)) await files.remove(hash);
      return unused.length;
    },
  };
}
