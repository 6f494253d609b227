import assert from 'node:assert/strict';
import { brotliCompressSync } from 'node:zlib';
import { browser } from '@wdio/globals';
import { F150_NEAR_CHICAGO, shellOrigin } from './origins.ts';
import { openResults } from './resultsPage.ts';

/**
 * Upper bounds of what the page requests, besides pictures, until filters and results are interactive. Counts, unlike
 * times, are the same on every machine. Lower them when they fall; the goals are in `infra/proofs/bench/src/budgets.ts`.
 */
const MAX_REQUESTS = 13;
/** kB, compressed as the shell serves them. */
const MAX_SCRIPT_KB = 158;

/** Paths of the files that were requested before the slots were hydrated. */
const requestedBefore = (slots: readonly string[]): Promise<string[]> =>
  browser.execute((names: readonly string[]) => {
    const usable = Math.max(
      ...names.map((name) => performance.getEntriesByName(`slot:${name}:hydrated`)[0]?.startTime ?? Infinity),
    );
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= usable)
      .map(({ name }) => new URL(name).pathname);
  }, slots);

describe('the results page until it is interactive', () => {
  it('stays within its requests and scripts', async () => {
    await openResults(F150_NEAR_CHICAGO);
    const paths = await requestedBefore(['filters', 'results']);
    const others = paths.filter((path) => !path.startsWith('/pictures/'));
    // With the document itself.
    assert.ok(others.length + 1 <= MAX_REQUESTS, `${others.length + 1} requests: ${others.join(' ')}`);
    const scripts = await Promise.all(
      paths
        .filter((path) => path.endsWith('.js'))
        .map(async (path) => Buffer.from(await (await fetch(shellOrigin() + path)).arrayBuffer())),
    );
    assert.ok(scripts.length > 0);
    const kilobytes = scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0) / 1000;
    assert.ok(kilobytes <= MAX_SCRIPT_KB, `${kilobytes.toFixed(1)} kB of scripts`);
  });
});
