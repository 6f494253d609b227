import { type Agent, get, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Was all of it sent? A body that broke off is not. */
  readonly isWhole: boolean;
  /** ms from the request to the first and to the last byte of the body. */
  readonly firstMs: number;
  readonly lastMs: number;
}

const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/**
 * One GET, told apart by what went wrong: rejects when no answer began, and
 * answers `isWhole: false` when one began and broke off.
 */
export const httpGet = (url: string, agent: Agent, encoding = 'identity'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const request = get(
      url,
      { agent, headers: { 'user-agent': PERSON, 'accept-encoding': encoding } },
      (response) => {
        const parts: Buffer[] = [];
        let firstMs = NaN;
        response.on('data', (part: Buffer) => {
          if (parts.length === 0) firstMs = performance.now() - began;
          parts.push(part);
        });
        // What broke off is told by `complete`.
        response.on('error', () => undefined);
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
            isWhole: response.complete,
            firstMs,
            lastMs: performance.now() - began,
          }),
        );
      },
    );
    request.setTimeout(30_000, () => request.destroy(new Error('no answer within 30 s')));
    request.on('error', reject);
  });
