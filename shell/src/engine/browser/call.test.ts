/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest, afterEach } from '@jest/globals';
import { CallError, createCall, PermanentError, persistently, RETRY_DELAYS_MS } from './call.ts';

const callGateway = createCall('shelf', '/library');

const fetched = jest.fn<typeof fetch>();
const answer = (body: BodyInit | null, status = 200) =>
  fetched.mockResolvedValue(new Response(body, { status }));
const error = (call: Promise<unknown>) => call.catch((reason: unknown) => reason);

describe('calls through the gateway', () => {
  beforeEach(() => {
    fetched.mockReset();
    window.fetch = fetched;
  });

  it('sends a GET with the parameters in the query', async () => {
    answer('{"count":3}');
    await expect(callGateway('count', { author: 'Austen,Eliot' })).resolves.toEqual({ count: 3 });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/library/api/call/count?author=Austen%2CEliot');
    expect(init?.method).toBeUndefined();
    expect(init?.headers).toMatchObject({ 'X-Forecourt-Slot': 'shelf' });
  });

  it('sends a body as a JSON POST with the CSRF header', async () => {
    answer('{}');
    await callGateway('lend' as never, {}, { body: { bookId: '7' } });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/library/api/call/lend');
    expect(init).toMatchObject({
      method: 'POST',
      body: '{"bookId":"7"}',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'forecourt' },
    });
  });

  it('sends the idempotency key of a repeatable write', async () => {
    answer('{}');
    await callGateway('saveDeal', {}, { body: {}, idempotencyKey: 'key-0001' });
    expect(fetched.mock.calls[0]?.[1]?.headers).toMatchObject({ 'Idempotency-Key': 'key-0001' });
  });

  it.each([
    ['{"error":{"code":"INVALID_BODY","message":"isbn"}}', 400, 'INVALID_BODY'],
    ['{"error":"TIMEOUT"}', 502, 'TIMEOUT'],
    ['<html>proxy error</html>', 504, 'HTTP_504'],
    ['<html>sign in</html>', 200, 'HTTP_200'],
  ])('throws the error code of a response: %s', async (body, status, code) => {
    answer(body, status);
    const thrown = await error(callGateway('count', {}));
    expect(thrown).toBeInstanceOf(CallError);
    expect(thrown).toMatchObject({ code, status });
  });

  it('throws NETWORK when there is no response', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(callGateway('count', {})).rejects.toMatchObject({ code: 'NETWORK', status: 0 });
  });

  it('rethrows an abort', async () => {
    const controller = new AbortController();
    fetched.mockImplementation(() => {
      controller.abort();
      return Promise.reject(controller.signal.reason as Error);
    });
    const thrown = await error(callGateway('count', {}, { signal: controller.signal }));
    expect(thrown).toBe(controller.signal.reason);
  });
});

const settle = () => jest.advanceTimersByTimeAsync(0);

describe('persistently', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('resolves at once when the first attempt succeeds', async () => {
    await expect(persistently(() => Promise.resolve('slot'), jest.fn())).resolves.toBe('slot');
  });

  it('doubles delays from 1 s to 30 s and retries for some minutes', async () => {
    const starts: number[] = [];
    const began = performance.now();
    void persistently(() => {
      starts.push(Math.round((performance.now() - began) / 1000));
      return Promise.reject(new Error('offline'));
    }, jest.fn());
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(starts.slice(0, 8)).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
    expect(starts).toHaveLength(RETRY_DELAYS_MS.length + 1);
    expect(starts.at(-1)).toBeGreaterThanOrEqual(240);
    expect(starts.at(-1)).toBeLessThanOrEqual(600);
  });

  it('retries at once on an online event, even after the last delay', async () => {
    let isOnline = false;
    const attempt = jest.fn(() =>
      isOnline ? Promise.resolve('slot') : Promise.reject(new Error('offline')),
    );
    const answer = jest.fn();
    void persistently(attempt, jest.fn()).then(answer);
    await jest.advanceTimersByTimeAsync(3_600_000);
    isOnline = true;
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(answer).toHaveBeenCalledWith('slot');
  });

  it('waits once after an online event in between, not twice', async () => {
    const attempt = jest.fn(() => Promise.reject(new Error('offline')));
    void persistently(attempt, jest.fn());
    await settle();
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(attempt).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(attempt).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it('neither retries nor rejects after a permanent error', async () => {
    const attempt = jest.fn(() => Promise.reject(new PermanentError('not in the snapshot')));
    const settled = jest.fn();
    const failed = jest.fn();
    persistently(attempt, failed).then(settled, settled);
    await jest.advanceTimersByTimeAsync(3_600_000);
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(attempt).toHaveBeenCalledTimes(1);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(settled).not.toHaveBeenCalled();
  });
});
