import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { capacitySection, needOf, SCALING_FILE, SECTION, SITES } from './capacity.ts';
import { readCosts } from './measuredCosts.ts';
import { RESULTS_FILE } from './report.ts';

const results = readFileSync(RESULTS_FILE, 'utf8');
const scaling = readFileSync(SCALING_FILE, 'utf8');
const costs = readCosts(results, scaling);
const site = SITES.find(({ name }) => name === 'a country')!;
const shareOf = (limit: string, changed = site) =>
  needOf(changed, costs).limits.find(({ name }) => name === limit)!.share;

it('finds in the docs what the last measurements say; otherwise run `npm run capacity -w @forecourt/bench`', () => {
  const section = scaling.split(/^(?=## )/m).find((text) => text.startsWith(`## ${SECTION}\n`));
  expect(section?.trim()).toBe(`## ${SECTION}\n\n${capacitySection(costs)}`);
});

it('refuses measurements without a value that it needs', () => {
  const row = /^\| Uncached page, CPU of api, br .*$/m;
  expect(() => readCosts(results.replace(row, ''), scaling)).toThrow('Uncached page, CPU of api, br');
  const empty = results.replace(/another process changes [\d,]+/, 'another process changes some');
  expect(() => readCosts(empty, scaling)).toThrow('changesPerSecond');
});

describe('needOf', () => {
  it('needs twice the processor time for twice the pages, and two replicas of every service for few', () => {
    const busy = { ...site, pagesPerSecond: 100 * site.pagesPerSecond };
    expect(needOf({ ...busy, pagesPerSecond: 2 * busy.pagesPerSecond }, costs).shellCores).toBeCloseTo(
      2 * needOf(busy, costs).shellCores,
      -1,
    );
    expect(needOf({ ...site, pagesPerSecond: 1 }, costs)).toMatchObject({
      shells: 2,
      apis: 2,
      shellCores: 1,
    });
  });

  it('needs no API for pages from the cache, and more of its memory and time for more listings', () => {
    expect(needOf({ ...site, hitRate: 1, pagesPerSecond: 100_000 }, costs).apis).toBe(2);
    const smaller = { ...site, listings: site.listings / 2 };
    expect(needOf(smaller, costs).apiMemory).toBeLessThan(needOf(site, costs).apiMemory);
    expect(needOf(smaller, costs).apiStart).toBeLessThan(needOf(site, costs).apiStart);
    expect(shareOf('slowest search', smaller)).toBeLessThan(shareOf('slowest search'));
  });

  it('needs OpenSearch when the listings no longer fit into the memory of an API, and then shards and nodes by their number', () => {
    const [tens, hundreds] = ['a continent', 'the world'].map(
      (name) =>
        needOf(
          SITES.find((one) => one.name === name)!,
          costs,
        ).search!,
    );
    expect(needOf({ ...site, listings: 10_000 }, costs).search).toBeUndefined();
    expect(hundreds!.shards / tens!.shards).toBeCloseTo(10, -1);
    expect(hundreds!.disk / tens!.disk).toBeCloseTo(10, 0);
    expect(hundreds!.nodes).toBeGreaterThan(tens!.nodes);
    expect(needOf({ ...site, listings: 10_000_000, pagesPerSecond: 1 }, costs).search).toMatchObject({
      shards: tens!.shards,
      nodes: 2,
    });
  });

  it('names what is used up by writes and by changes', () => {
    const writes = { ...site, writesPerSecond: costs.transactionsPerSecond };
    expect(shareOf('statements of PostgreSQL', writes)).toBeGreaterThan(1);
    const changes = { ...site, changesPerSecond: 2 * costs.changesPerSecond };
    // More than every replica can apply to an index in memory.
    expect(needOf(changes, costs).search).toBeDefined();
    const [, { listings, build }] = costs.remoteSizes;
    expect(shareOf('changes that one replica indexes', changes)).toBeCloseTo(
      (2 * costs.changesPerSecond * build) / listings,
    );
  });
});
