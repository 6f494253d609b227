import { setTimeout as wait } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import type { Logger } from '@forecourt/service-kit/log';
import type { PhotoProblem, StockPhoto } from '../../domain/stock.ts';
import type { DuePhoto, PhotoStore } from './photoStore.ts';
import { type Egress, createEgress, EgressError } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../http/egress.ts';
import type { PhotoEncoder } from './photoEncoder.ts';
import type { PhotoFiles } from './photoFiles.ts';

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Brands of AVIF in an ISO media file. */
const AVIF_BRANDS = ['avif', 'avis'];

/** Whether bytes begin as JPEG, PNG, WebP, GIF or AVIF do; the Content-Type of a response says nothing reliable. */
function isPicture(bytes: Uint8Array): boolean {
  if (bytes.length < 16) return false;
  return (
    (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) ||
    ascii(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n' ||
    (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') ||
    /^GIF8[79]a$/.test(ascii(bytes, 0, 6)) ||
    (ascii(bytes, 4, 8) === 'ftyp' && AVIF_BRANDS.includes(ascii(bytes, 8, 12)))
  );
}

interface DownloadParts {
  readonly store: PhotoStore;
  readonly files: PhotoFiles;
  readonly encoder: PhotoEncoder;
  /** Origins of the operator's own network that photos may come from. */
  readonly internalOrigins?: readonly string[];
}

const problemOf = (error: unknown): PhotoProblem => {
  if (!(error instanceof EgressError)) return 'UNREACHABLE';
  return error.code === 'REDIRECTED' ? 'REFUSED' : error.code;
};

/** The 128 bits by which a photo is known. */
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Returns a function that fetches one photo through the egress policy of its feed, encodes it and writes its files. */
function createDownload({ store, files, encoder, internalOrigins = [] }: DownloadParts) {
  const internal = createEgress(EGRESS.internalPhotos(internalOrigins));
  const egresses = new Map<string, Egress>();
  const egressFor = async (source: string, url: string): Promise<Egress> => {
    if (URL.canParse(url) && internalOrigins.includes(new URL(url).origin)) return internal;
    const hosts = await store.hostsOf(source);
    const key = hosts.join(' ');
    const egress = egresses.get(key) ?? createEgress(EGRESS.photos(hosts));
    egresses.set(key, egress);
    return egress;
  };

  // Downloads at the same time may bring the same bytes.
  const encoding = new Map<string, Promise<StockPhoto | PhotoProblem>>();
  async function encode(hash: string, bytes: Uint8Array): Promise<StockPhoto | PhotoProblem> {
    const encoded = await encoder.run(bytes);
    if (typeof encoded === 'string') return encoded;
    await files.write(hash, encoded.files);
    return { hash, ...encoded.photo };
  }

  return async function download({ url, source }: DuePhoto): Promise<StockPhoto | PhotoProblem> {
    let bytes: Uint8Array;
    try {
      const response = await (await egressFor(source, url))(url);
      if (response.status !== 200) return `HTTP_${response.status}`;
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      return problemOf(error);
    }
    if (!isPicture(bytes)) return 'NOT_A_PICTURE';
    const hash = hashOf(bytes);
    const known = encoding.get(hash) ?? (await store.find(hash)) ?? encoding.get(hash);
    if (known) return known;
    const result = encode(hash, bytes).finally(() => encoding.delete(hash));
    encoding.set(hash, result);
    return result;
  };
}

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

/** ms after a failure of the storage; doubled after each further one. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** Photos that are deleted between two rounds. */
const DELETIONS = 50;

/** Makes later attempts wait for a storage that fails. */
function createPause(now: () => number) {
  let failures = 0;
  let until = 0;
  return {
    isOver: () => now() >= until,
    /** @throws what `work` throws */
    async around(work: () => Promise<void>): Promise<void> {
      try {
        await work();
        failures = 0;
      } catch (error) {
        until = now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
        failures += 1;
        throw error;
      }
    },
  };
}

/** Runs one piece of work after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    // A failure is the caller's; the next one has its turn all the same.
    last = done.catch(() => undefined);
    return done;
  };
}

export interface PhotoFetcher {
  /**
   * Fetches due photos until none is left or the signal is aborted; returns how many were tried. While the storage fails,
   * photos stay due without an attempt being counted, and calls return 0 until a pause is over. @throws the storage's error
   */
  run(signal?: AbortSignal): Promise<number>;
  /** Deletes photos that no listing uses any more; returns their number. @throws the storage's error, and goes on next time */
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
  const pause = createPause(now);
  // A photo that is deleted while it comes back would lose its files.
  const inTurn = createTurns();
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
    await store.failed(photo.url, result, after === undefined ? null : now() + after);
    logger.debug({ host, problem: result }, 'photo not fetched');
  }

  async function round(photos: DuePhoto[], failures: Map<string, number>): Promise<void> {
    const queue = [...photos];
    const work = async () => {
      try {
        for (let photo = queue.shift(); photo; photo = queue.shift()) await attempt(photo, failures);
      } finally {
        // When the storage has failed, the other downloads end too.
        queue.length = 0;
      }
    };
    const results = await Promise.allSettled(Array.from({ length: DOWNLOADS }, work));
    await store.publish(
      photos.map(({ url }) => url),
      now(),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  return {
    async run(signal) {
      const failures = new Map<string, number>();
      let tried = 0;
      while (!signal?.aborted && pause.isOver()) {
        const photos = await store.due(now(), ROUND);
        if (photos.length === 0) break;
        await inTurn(() => pause.around(() => round(photos, failures)));
        tried += photos.length;
        // Requests of visitors come first.
        await wait(0);
      }
      return tried;
    },
    async sweep() {
      let deleted = 0;
      const deleteSome = async (): Promise<boolean> => {
        await store.release(now() - retentionMs);
        const photos = await store.removed(DELETIONS);
        for (const { hash, isBack } of photos) {
          if (!isBack) {
            await files.remove(hash);
            deleted += 1;
          }
          await store.deleted(hash);
        }
        return photos.length === DELETIONS;
      };
      while (await inTurn(deleteSome));
      return deleted;
    },
  };
}
