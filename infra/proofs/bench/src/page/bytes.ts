import { get } from 'node:http';
import { brotliDecompressSync, constants, brotliCompressSync } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@forecourt/harness/browser';
import { hydrated, hydratedMark, inFreshBrowser } from '@forecourt/harness/browser';

/** Body and Server-Timing of a document, as transferred. */
const transfer = (
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly body: Buffer; readonly timing: string; readonly coding: string | undefined }> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          body: Buffer.concat(parts),
          timing: String(response.headers['server-timing']),
          coding: response.headers['content-encoding'],
        }),
      );
      response.on('error', reject);
    }).on('error', reject);
  });

/** The compressed body, as transferred. */
export const compressedBody = async (url: string): Promise<Buffer> =>
  (await transfer(url, { 'accept-encoding': 'br' })).body;

/**
 * Bytes of the page for a browser that has the dictionary of pages, and of the dictionary. @throws Error if the server offers
 * none or doesn't use it
 */
export async function bytesWithDictionary(
  url: string,
): Promise<{ readonly page: number; readonly dictionary: number }> {
  const document = { 'sec-fetch-dest': 'document', 'accept-encoding': 'br, zstd, dcz' };
  let hash: string | undefined;
  // The server makes it with its first document.
  for (let pages = 0; pages < 20 && hash === undefined; pages += 1)
    hash = /dictionary;desc="([\w-]+)"/.exec((await transfer(url, document)).timing)?.[1];
  if (hash === undefined) throw new Error(`${url} offers no dictionary`);
  const file = new URL(`/assets/dictionary/${hash}`, url).href;
  const { body: dictionary } = await transfer(file, { 'accept-encoding': 'identity' });
  const available = `:${Buffer.from(hash, 'base64url').toString('base64')}:`;
  const { body, coding } = await transfer(url, { ...document, 'available-dictionary': available });
  if (coding !== 'dcz') throw new Error(`${url} is sent without its dictionary`);
  return { page: body.length, dictionary: brotliCompressSync(dictionary).length };
}

/** The text that the first bytes of a Brotli stream decode to. */
export const textOfFirst = (body: Buffer, bytes: number): string =>
  brotliDecompressSync(body.subarray(0, bytes), { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString(
    'utf8',
  );

/**
 * The number of compressed bytes up to a text, e.g. the end of the first result;
 * NaN when it is missing. Only occurrences after `after` count.
 */
export function bytesUntil(body: Buffer, text: string, after: string): number {
  const holds = (bytes: number) => {
    const html = textOfFirst(body, bytes);
    const start = html.indexOf(after);
    return start >= 0 && html.includes(text, start);
  };
  if (!holds(body.length)) return Number.NaN;
  let [without, within] = [0, body.length];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (holds(middle)) within = middle;
    else without = middle;
  }
  return within;
}

/** Fast, and the same for all variants. */
const BROTLI_QUALITY = 9;
/** Long enough for slots that hydrate when the browser is idle. */
const IDLE_MS = 1500;

export interface LoadedScript {
  readonly path: string;
  /** Compressed body size. */
  readonly bytes: number;
  /** The script that requested it; undefined if the HTML did, inline scripts included. */
  readonly requestedBy: string | undefined;
  /** Requested before the first view was interactive. */
  readonly isFirst: boolean;
}

/** Slots that a shopper uses first. */
const FIRST_SLOTS = ['filters', 'results'];

/** Paths of the scripts requested before every slot of the first view was hydrated. */
const requestedBeforeUsable = (page: Page): Promise<readonly string[]> =>
  page.evaluate((marks) => {
    const usable = Math.max(
      ...marks.map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? Infinity),
    );
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= usable)
      .map(({ name }) => new URL(name).pathname);
  }, FIRST_SLOTS.map(hydratedMark));

/** The longest chain of scripts that request each other. */
export function depthOf(scripts: readonly Pick<LoadedScript, 'path' | 'requestedBy'>[]): number {
  const byPath = new Map(scripts.map((script) => [script.path, script]));
  const levelOf = (path: string, seen: ReadonlySet<string>): number => {
    const asker = byPath.get(path)?.requestedBy;
    if (asker === undefined || seen.has(asker)) return 1;
    return 1 + levelOf(asker, new Set([...seen, asker]));
  };
  return Math.max(0, ...scripts.map(({ path }) => levelOf(path, new Set([path]))));
}

const pathOf = (url: string) => new URL(url).pathname;

/** The scripts that a phone loads without interaction. */
export function loadedScripts(url: string): Promise<LoadedScript[]> {
  return inFreshBrowser(async (page) => {
    const scripts: Omit<LoadedScript, 'isFirst'>[] = [];
    const documentPath = pathOf(url);
    page.on('response', (response) => {
      const request = response.request();
      if (request.resourceType() !== 'script' || !response.ok() || response.fromCache()) return;
      const initiator = request.initiator();
      const frame = initiator?.stack?.callFrames[0]?.url || initiator?.stack?.parent?.callFrames[0]?.url;
      scripts.push({
        path: pathOf(response.url()),
        bytes: Number(response.headers()['content-length']),
        requestedBy:
          initiator?.type === 'script' && frame && pathOf(frame) !== documentPath ? pathOf(frame) : undefined,
      });
    });
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await page.goto(url, { waitUntil: 'networkidle0' });
    await Promise.all(FIRST_SLOTS.map((slot) => hydrated(page, slot)));
    await page.waitForNetworkIdle({ idleTime: IDLE_MS });
    const first = new Set(await requestedBeforeUsable(page));
    return scripts.map((script) => ({ ...script, isFirst: first.has(script.path) }));
  });
}

/** Scripts that only pages of testers load. */
const TESTER_SCRIPTS: ReadonlySet<string> = new Set(['tester.js', 'devtools-panel.js', 'live-builds.js']);

/** Compressed size of all scripts in a directory that a visitor's page may load. */
export const builtScriptBytes = (directory: string): number =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.js') && !TESTER_SCRIPTS.has(name))
    .map((name) =>
      brotliCompressSync(readFileSync(join(directory, name)), {
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      }),
    )
    .reduce((sum, { length }) => sum + length, 0);
