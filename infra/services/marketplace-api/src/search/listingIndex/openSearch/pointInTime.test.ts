import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SearchCluster, SearchUnavailable } from './cluster.ts';
import { PointInTime } from './pointInTime.ts';

const FOUND = {
  timed_out: false,
  _shards: { total: 1, successful: 1, failed: 0 },
  hits: { total: { value: 7 }, hits: [{ _index: 'listings-1', _version: 3 }] },
};
/** What a node that has not opened its shards yet finds: less, and without an error. */
const PARTIAL = {
  ...FOUND,
  _shards: { total: 1, successful: 0, failed: 1 },
  hits: { total: { value: 0 }, hits: [] },
};
const ERROR = { root_cause: [], type: 'search_phase_execution_exception', reason: 'all shards failed' };

/** Of a node: it answers in part, unless the request forbids it. */
let isStarting = false;
/** Its shards are open now, but were not when the point in time was created. */
let wasStarting = false;
const requested: string[] = [];

function answerTo(url: URL, lines: readonly string[]): { status: number; body: object } {
  const isForbidden = (name: string) => url.searchParams.get(name) === 'false';
  const unavailable = { status: 503, body: { error: ERROR, status: 503 } };
  if (url.pathname.endsWith('/_search/point_in_time')) {
    if (!isStarting && !wasStarting) return { status: 200, body: { pit_id: 'state' } };
    return isForbidden('allow_partial_pit_creation')
      ? unavailable
      : { status: 200, body: { pit_id: 'without shards' } };
  }
  if (url.pathname === '/_msearch') {
    const heads = lines.filter((_, index) => index % 2 === 0).map((line) => JSON.parse(line) as object);
    const responses = heads.map((head) => {
      if (!isStarting) return { ...FOUND, hits: { ...FOUND.hits, hits: [] } };
      const isWhole = (head as Record<string, unknown>)['allow_partial_search_results'] === false;
      return isWhole ? { error: ERROR, status: 503 } : PARTIAL;
    });
    return { status: 200, body: { responses } };
  }
  // No shard of it fails.
  if (lines.join('').includes('without shards')) return { status: 200, body: PARTIAL };
  if (isStarting && isForbidden('allow_partial_search_results')) return unavailable;
  return { status: 200, body: isStarting ? PARTIAL : FOUND };
}

const node = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://node');
  void text(request).then((body) => {
    requested.push(url.pathname);
    const answer = answerTo(url, body.trim().split('\n'));
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(request.method === 'DELETE' ? '{}' : JSON.stringify(answer.body));
  });
});
let cluster: SearchCluster;
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  isStarting = wasStarting = false;
  requested.length = 0;
  const { port } = node.address() as AddressInfo;
  cluster = new SearchCluster({ url: `http://127.0.0.1:${port}`, timeoutMs: 2_000 });
});
afterAll(() => {
  node.closeAllConnections();
  node.close();
});

it('opens no state of a node that has not opened its shards yet', async () => {
  const state = new PointInTime(cluster, 'listings');
  isStarting = true;
  await expect(state.open()).rejects.toBeInstanceOf(SearchUnavailable);
  [isStarting, wasStarting] = [false, true];
  await expect(state.open()).rejects.toBeInstanceOf(SearchUnavailable);
  wasStarting = false;
  expect(await state.open()).toBe(3);
  state.adopt();
  expect(state.size).toBe(7);
  await state.close();
});

it('finds nothing rather than less while a node opens its shards, and everything afterwards', async () => {
  const state = new PointInTime(cluster, 'listings');
  await state.open();
  state.adopt();
  isStarting = true;
  await expect(state.search([{ match_all: {} }, { match_all: {} }])).rejects.toBeInstanceOf(
    SearchUnavailable,
  );
  await expect(state.entries()).rejects.toBeInstanceOf(SearchUnavailable);
  isStarting = false;
  expect(await state.search([{ match_all: {} }])).toMatchObject([{ total: 7 }]);
  await state.close();
  // Each kind of request was among them.
  expect(new Set(requested)).toEqual(
    new Set([
      '/listings/_search',
      '/listings/_search/point_in_time',
      '/_search',
      '/_msearch',
      '/_search/point_in_time',
    ]),
  );
});
