import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { z } from 'zod';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { createGateway } from '../gateway/gateway.ts';
import { createGatewayMetrics } from '../gateway/gatewayMetrics.ts';
import { recordedUpstream } from './recordedUpstream.ts';

const book = {
  method: 'GET',
  service: 'books',
  path: '/books/{id}',
  browser: false,
  timeoutMs: 1_000,
  fallback: { kind: 'empty', value: { title: 'none' } },
  response: z.object({ title: z.string() }),
} as unknown as CallDefinition;

it('gives a gateway recorded responses, alone and in batches, and none for other paths', async () => {
  const metrics = new Registry();
  const gateway = createGateway({
    baseUrl: 'http://upstream.invalid',
    calls: { book, other: { ...book, path: '/others/{id}' } } as Readonly<Record<string, CallDefinition>>,
    metrics: createGatewayMetrics(metrics),
    log: () => {},
    // More than a socket delivers at a time.
    send: recordedUpstream((path) =>
      path.startsWith('/books/') ? { title: `${path} ${'é'.repeat(100_000)}` } : undefined,
    ),
  });
  const titles = async (...ids: string[]) => {
    const calls = ids.map((id) =>
      gateway.call(id === 'x' ? ('other' as never) : ('book' as never), { id }, { requestId: 'one' }),
    );
    return (await Promise.all(calls)).map((found) => (found as { title: string }).title.split(' ')[0]);
  };
  expect(await titles('1')).toEqual(['/books/1']);
  expect(await titles('2', '3', 'x')).toEqual(['/books/2', '/books/3', 'none']);
  expect(await titles('x')).toEqual(['none']);
});
