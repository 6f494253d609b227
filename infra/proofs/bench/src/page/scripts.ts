import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page } from 'puppeteer-core';
import { hydrated, hydratedMark, inFreshBrowser } from './browser.ts';

/** Quick, and the same for what is compared. */
const BROTLI_QUALITY = 9;
/** Long enough for slots that become interactive when the browser is idle. */
const IDLE_MS = 1500;

export interface LoadedScript {
  readonly path: string;
  /** Compressed bytes of its body. */
  readonly bytes: number;
  /** The script whose code asked for it; undefined when the HTML did. */
  readonly askedBy: string | undefined;
  /** It was asked for before the first view could be used. */
  readonly isFirst: boolean;
}

/** What a shopper uses first. */
const FIRST_SLOTS = ['filters', 'results'];

/** Paths of the scripts that were asked for until every slot of the first view was interactive. */
const askedUntilUsable = (page: Page): Promise<readonly string[]> =>
  page.evaluate((marks) => {
    const usable = Math.max(
      ...marks.map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? Infinity),
    );
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= usable)
      .map(({ name }) => new URL(name).pathname);
  }, FIRST_SLOTS.map(hydratedMark));

/** How many scripts follow upon each other, at most, after the HTML. */
export function depthOf(scripts: readonly Pick<LoadedScript, 'path' | 'askedBy'>[]): number {
  const byPath = new Map(scripts.map((script) => [script.path, script]));
  const levelOf = (path: string, seen: ReadonlySet<string>): number => {
    const asker = byPath.get(path)?.askedBy;
    if (asker === undefined || seen.has(asker)) return 1;
    return 1 + levelOf(asker, new Set([...seen, asker]));
  };
  return Math.max(0, ...scripts.map(({ path }) => levelOf(path, new Set([path]))));
}

const pathOf = (url: string) => new URL(url).pathname;

/** The scripts that a phone loads before the shopper does anything. */
export function loadedScripts(url: string): Promise<LoadedScript[]> {
  return inFreshBrowser(async (page) => {
    const scripts: Omit<LoadedScript, 'isFirst'>[] = [];
    page.on('response', (response) => {
      const request = response.request();
      if (request.resourceType() !== 'script' || !response.ok() || response.fromCache()) return;
      const initiator = request.initiator();
      const frame = initiator?.stack?.callFrames[0]?.url || initiator?.stack?.parent?.callFrames[0]?.url;
      scripts.push({
        path: pathOf(response.url()),
        bytes: Number(response.headers()['content-length']),
        askedBy: initiator?.type === 'script' && frame ? pathOf(frame) : undefined,
      });
    });
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await page.goto(url, { waitUntil: 'networkidle0' });
    await Promise.all(FIRST_SLOTS.map((slot) => hydrated(page, slot)));
    await page.waitForNetworkIdle({ idleTime: IDLE_MS });
    const first = new Set(await askedUntilUsable(page));
    return scripts.map((script) => ({ ...script, isFirst: first.has(script.path) }));
  });
}

/** Compressed bytes of all scripts in a folder, whenever they may be loaded. */
export const builtScriptBytes = (directory: string): number =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.js'))
    .map((name) =>
      brotliCompressSync(readFileSync(join(directory, name)), {
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      }),
    )
    .reduce((sum, { length }) => sum + length, 0);
