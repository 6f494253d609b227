import { jest } from '@jest/globals';

/** What the shell answers for creatives: a status, or nothing at all. The answer says which were asked for. */
export function answerCreatives(answer: (path: string) => number | 'nothing' = () => 200): string[] {
  const asked: string[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = input as string;
    if (!path.startsWith('/ads/creative')) throw new Error(`this test has no ${path}`);
    asked.push(`${init?.method ?? 'GET'} ${path}`);
    const status = answer(path);
    if (status === 'nothing') throw new TypeError('Failed to fetch');
    return new Response(null, { status });
  });
  return asked;
}
