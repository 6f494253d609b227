import { jest } from '@jest/globals';

/** Mocks requests for ad creatives with a status or a network failure; returns the requests made. */
export function mockCreatives(respond: (path: string) => number | 'nothing' = () => 200): string[] {
  const requests: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = input as string;
    if (!path.startsWith('/ads/creative')) throw new Error(`this test has no ${path}`);
    requests.push(`${init?.method ?? 'GET'} ${path}`);
    const status = respond(path);
    if (status === 'nothing') throw new TypeError('Failed to fetch');
    return new Response(null, { status });
  });
  return requests;
}
