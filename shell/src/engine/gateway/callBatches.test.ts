import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  asLibraryGateway,
  LIBRARY_CALLS,
  type LibraryCall,
  type LibraryGateway,
} from '../testing/libraryCalls.ts';
import { type CallChanges, TestGateways } from '../testing/testGateways.ts';
import { PartReader } from './callBatches.ts';

const BRANCH = { isKnown: true, city: 'Lisbon' };
const NONE = { books: [] };
const FOUND = { books: [], total: 80 };
const FRESH = { 'Cache-Control': 'max-age=60' };

interface Call {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly onlyIf?: { readonly countUrl: string; readonly atLeast: number };
}
interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}
type PartHandler = (call: Call) => Promise<Answer> | Answer;

const gateways = new TestGateways(LIBRARY_CALLS);
afterEach(() => gateways.stop());

const textOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString();
};

const frame = (id: number, { status = 200, headers = {}, body }: Answer): string =>
  `${JSON.stringify({ id, status, headers, bytes: Buffer.byteLength(body) })}\n${body}`;

interface Options {
  readonly changes?: CallChanges<LibraryCall>;
  /** Answers the batch itself instead of its calls. */
  readonly onBatch?: (response: ServerResponse, calls: readonly Call[]) => void;
  readonly isAdvertised?: boolean;
}

/** A gateway over an upstream that accepts batches, which it has learned by a first call. */
async function rig(answer: PartHandler, { changes = {}, onBatch, isAdvertised = true }: Options = {}) {
  const batches: Call[][] = [];
  const requests: IncomingMessage[] = [];
  const closed: Promise<unknown>[] = [];
  const started = await gateways.start((request, response) => {
    requests.push(request);
    if (isAdvertised) response.setHeader('Batch-Path', '/batch');
    void respond(request, response);
  }, changes);
  const { codes, metrics } = started;
  const gateway = asLibraryGateway(started.gateway);
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    if (url !== '/batch') {
      const { status = 200, headers = {}, body } = await answer({ url, headers: {} });
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
      return;
    }
    closed.push(new Promise((resolve) => response.once('close', resolve)));
    const { calls } = JSON.parse(await textOf(request)) as { calls: Call[] };
    batches.push(calls);
    if (onBatch) return onBatch(response, calls);
    await Promise.all(calls.map(async (call, id) => void response.write(frame(id, await answer(call)))));
    response.end();
  }
  await gateway.call('count', { first: '1' }, { requestId: 'first' });
  requests.length = 0;
  codes.length = 0;
  return { gateway, batches, requests, codes, metrics, closed };
}

const context = { requestId: 'page-1' };
/** Answers every call that these tests make. */
const answerAll: PartHandler = ({ url }) => {
  if (url.includes('/branches/')) return { body: JSON.stringify(BRANCH), headers: FRESH };
  if (url.includes('/count')) return { body: JSON.stringify({ total: 3 }) };
  return { body: JSON.stringify(FOUND) };
};
const page = (gateway: LibraryGateway) =>
  Promise.all([
    gateway.call('shelf', { topic: 'poetry' }, context),
    gateway.call('recommendations', { topic: 'poetry' }, context),
    gateway.call('branch', { branch: 'main' }, context),
  ]);

describe('calls that one page makes at the same time', () => {
  // rows: A7-CALL-02
  it('are one request once the upstream has advertised batches, each with its path and service', async () => {
    const { gateway, batches, requests } = await rig(answerAll);
    const [shelf, recommendations, branch] = await page(gateway);
    expect(shelf).toMatchObject({ total: 80 });
    expect(recommendations).toMatchObject(NONE);
    expect(branch).toEqual(BRANCH);
    expect(requests).toHaveLength(1);
    expect(requests[0]!.headers['x-request-id']).toBe('page-1');
    expect(batches[0]!.map(({ url, headers }) => [url, headers['x-fwd-svc']])).toEqual([
      ['/catalog/shelf?topic=poetry', 'catalog'],
      ['/catalog/recommendations?topic=poetry', 'catalog'],
      ['/branches/main', 'branch'],
    ]);
  });

  it('are single requests for an upstream that advertises nothing', async () => {
    const { gateway, batches, requests } = await rig(answerAll, { isAdvertised: false });
    await page(gateway);
    expect(requests).toHaveLength(3);
    expect(batches).toEqual([]);
  });

  it('are not mixed with those of another page or in the name of a visitor', async () => {
    const { gateway, batches, requests } = await rig(answerAll);
    await Promise.all([
      page(gateway),
      gateway.call('count', {}, { requestId: 'page-2' }),
      gateway.call('history', {}, { ...context, consumerId: 'browser-1' }),
    ]);
    expect(requests.map(({ url }) => url).toSorted()).toEqual([
      '/batch',
      '/catalog/count',
      '/readers/history?consumerId=browser-1',
    ]);
    expect(batches[0]).toHaveLength(3);
  });

  it('are counted each by its own name', async () => {
    const { gateway, metrics } = await rig(answerAll);
    await page(gateway);
    const text = await metrics.metrics();
    for (const name of ['shelf', 'recommendations', 'branch'])
      expect(text).toContain(`forecourt_call_seconds_count{call="${name}",outcome="ok"} 1`);
  });

  it('are cached each by its own headers', async () => {
    const { gateway, batches } = await rig(answerAll);
    await page(gateway);
    await page(gateway);
    expect(batches.map((calls) => calls.length)).toEqual([3, 2]);
  });
});

describe('one call of a batch', () => {
  it('that is slow holds no other one', async () => {
    let release: (answer: Answer) => void = () => {};
    const { gateway } = await rig((call) =>
      call.url.includes('recommend') ? new Promise((resolve) => (release = resolve)) : answerAll(call),
    );
    const slow = gateway.call('recommendations', {}, context);
    expect(await gateway.call('shelf', {}, context)).toMatchObject({ total: 80 });
    release({ body: JSON.stringify({ ...NONE, total: 7 }) });
    expect(await slow).toMatchObject({ total: 7 });
  });

  it('that exceeds its own timeout falls back alone', async () => {
    const { gateway, codes } = await rig(
      async (call) => {
        if (call.url.includes('recommend')) await pause(2_000);
        else if (call.url.includes('/branches/')) await pause(150);
        return answerAll(call);
      },
      { changes: { recommendations: { timeoutMs: 60 } } },
    );
    const [shelf, recommendations, branch] = await page(gateway);
    expect([shelf.total, recommendations, branch]).toEqual([80, NONE, BRANCH]);
    expect(codes).toEqual(['TIMED_OUT']);
  });

  it.each<[string, Answer, string]>([
    ['has status 500', { status: 500, body: '{}' }, 'UPSTREAM_ERROR'],
    ['has status 404', { status: 404, body: '{}' }, 'REFUSED'],
    ['has a truncated body', { body: '{"books": [{"isbn": ' }, 'INVALID_RESPONSE'],
    ['has lost its connection', { status: 0, body: '' }, 'UNREACHABLE'],
  ])('that %s falls back alone', async (_, broken, code) => {
    const { gateway, codes } = await rig((call) =>
      call.url.includes('recommend') ? broken : answerAll(call),
    );
    const [shelf, recommendations, branch] = await page(gateway);
    expect([shelf.total, recommendations, branch]).toEqual([80, NONE, BRANCH]);
    expect(codes).toEqual([code]);
  });

  it('opens its own breaker only, and is then left out of batches', async () => {
    const { gateway, batches, codes } = await rig((call) =>
      call.url.includes('recommend') ? { status: 500, body: '{}' } : answerAll(call),
    );
    for (let at = 0; at < 5; at += 1) await page(gateway);
    batches.length = 0;
    const [shelf] = await page(gateway);
    expect(shelf.total).toBe(80);
    expect(codes.at(-1)).toBe('BREAKER_OPEN');
    expect(batches.flat().filter(({ url }) => url.includes('recommend'))).toEqual([]);
  });

  it('that is aborted leaves the others; when all are, the connection is closed', async () => {
    const { gateway, codes, closed } = await rig((call) =>
      call.url.includes('/branches/') ? new Promise(() => {}) : answerAll(call),
    );
    const leaving = [new AbortController(), new AbortController()];
    const calls = leaving.map(({ signal }, at) =>
      gateway.call('branch', { branch: `b${at}` }, { ...context, signal }).catch((error: unknown) => error),
    );
    while (closed.length === 0) await pause(5);
    leaving[0]!.abort();
    expect(await calls[0]).toMatchObject({ code: 'CANCELLED' });
    expect(await Promise.race([calls[1], pause(30, 'open')])).toBe('open');
    leaving[1]!.abort();
    expect(await calls[1]).toMatchObject({ code: 'CANCELLED' });
    await closed[0];
    expect(codes).toEqual([]);
  });
});

describe('an upstream that refuses a batch', () => {
  it.each([404, 405, 415, 501])('with status %i gets single requests from then on', async (status) => {
    let isRefusing = false;
    const { gateway, batches, requests } = await rig(answerAll, {
      onBatch(response) {
        isRefusing = true;
        response.removeHeader('Batch-Path');
        response.writeHead(status).end();
      },
      isAdvertised: true,
    });
    expect((await page(gateway))[0]).toMatchObject({ total: 80 });
    expect(isRefusing).toBe(true);
    expect(batches).toHaveLength(1);
    expect(requests).toHaveLength(4);
  });

  it.each([
    ['by a proxy, with status 502', (response: ServerResponse) => response.writeHead(502).end()],
    ['before its response', (response: ServerResponse) => response.destroy()],
    [
      'after a part of it',
      (response: ServerResponse) =>
        response.write(frame(0, { body: JSON.stringify(FOUND) }), () => response.destroy()),
    ],
  ])('because its replica was lost %s, is followed by a request for each open call', async (_, onBatch) => {
    const { gateway, batches, requests, codes } = await rig(answerAll, { onBatch });
    const [shelf, recommendations] = await Promise.all([
      gateway.call('shelf', {}, context),
      gateway.call('recommendations', {}, context),
    ]);
    expect(shelf).toMatchObject({ total: 80 });
    expect(recommendations).toMatchObject({ books: [] });
    expect(codes).toEqual([]);
    expect(batches).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it('for one of its calls gets that call as a request of its own', async () => {
    const { gateway, batches, requests, codes } = await rig(answerAll, {
      onBatch(response, calls) {
        for (const [id, { url }] of calls.entries())
          response.write(
            url.includes('/branches/')
              ? frame(id, { status: 421, body: '' })
              : frame(id, { body: JSON.stringify(FOUND) }),
          );
        response.end();
      },
    });
    expect((await page(gateway))[2]).toEqual(BRANCH);
    expect(requests.map(({ url }) => url)).toEqual(['/batch', '/branches/main']);
    expect(codes).toEqual([]);
    await page(gateway);
    expect(batches).toHaveLength(2);
  });

  it('with status 503 fails its calls, without asking for each again', async () => {
    const { gateway, requests, codes } = await rig(answerAll, {
      onBatch: (response) => response.writeHead(503).end(),
    });
    const results = await Promise.allSettled([
      gateway.call('shelf', {}, context),
      gateway.call('recommendations', {}, context),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(codes).toEqual(['UPSTREAM_ERROR', 'UPSTREAM_ERROR']);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['ends early', (response: ServerResponse) => response.write(frame(0, { body: JSON.stringify(FOUND) }))],
    ['is no batch', (response: ServerResponse) => response.write('<!doctype html>\n<p>')],
  ])('whose response %s fails the calls without a part', async (_, write) => {
    const { gateway, codes } = await rig(answerAll, {
      onBatch(response) {
        write(response);
        response.end();
      },
    });
    await Promise.allSettled([
      gateway.call('shelf', {}, context),
      gateway.call('recommendations', {}, context),
    ]);
    expect(codes.at(-1)).toBe('UNREACHABLE');
  });
});

describe('a conditional call', () => {
  const newBooks = (gateway: LibraryGateway, found: Promise<number | undefined>) =>
    gateway.call(
      'newBooks',
      { topic: 'poetry' },
      {
        ...context,
        onlyIf: {
          found,
          atLeast: 75,
          count: 'count' as never,
          countParams: new URLSearchParams('topic=poetry'),
        },
      },
    );

  it('is part of the batch, with the count by which the upstream decides', async () => {
    const { gateway, batches, codes } = await rig((call) =>
      call.onlyIf ? { status: 412, body: '' } : answerAll(call),
    );
    const [, books] = await Promise.all([
      gateway.call('shelf', { topic: 'poetry' }, context),
      newBooks(gateway, new Promise(() => {})),
    ]);
    expect(books).toEqual(NONE);
    expect(batches[0]![1]!.onlyIf).toEqual({
      countUrl: '/catalog/count?topic=poetry',
      atLeast: 75,
    });
    expect(codes).toEqual([]);
  });

  it('is not requested without batches if the earlier call found less or failed', async () => {
    const { gateway, requests } = await rig(answerAll, { isAdvertised: false });
    expect(await newBooks(gateway, Promise.resolve(74))).toEqual(NONE);
    expect(await newBooks(gateway, Promise.resolve(undefined))).toEqual(NONE);
    expect(requests).toEqual([]);
    expect(await newBooks(gateway, Promise.resolve(75))).toMatchObject({ total: 80 });
    expect(requests).toHaveLength(1);
  });
});

describe('reading the parts of a batch', () => {
  it('gives the same parts however their bytes are split', async () => {
    const parts = fc.array(
      fc.record({ status: fc.integer({ min: 0, max: 599 }), body: fc.string({ unit: 'binary' }) }),
    );
    await fc.assert(
      fc.asyncProperty(parts, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), async (sent, sizes) => {
        const bytes = Buffer.from(sent.map((part, id) => frame(id, part)).join(''));
        async function* chunks() {
          for (let at = 0; at < bytes.length;) {
            const size = sizes.next().value as number;
            yield await Promise.resolve(bytes.subarray(at, at + size));
            at += size;
          }
        }
        const received = [];
        for await (const { id, status, body } of new PartReader().read(chunks()))
          received.push({ id, status, body });
        expect(received).toEqual(sent.map((part, id) => ({ id, ...part })));
      }),
    );
  });
});
