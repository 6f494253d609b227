/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallError, createCall } from './call.ts';

const callGateway = createCall('results');

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
    await expect(callGateway('count', { makeCode: 'FORD,BMW' })).resolves.toEqual({ count: 3 });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/cars-for-sale/api/call/count?makeCode=FORD%2CBMW');
    expect(init?.method).toBeUndefined();
    expect(init?.headers).toMatchObject({ 'X-Forecourt-Slot': 'results' });
  });

  it('sends a body as a JSON POST with the CSRF header', async () => {
    answer('{}');
    await callGateway('emailOwner', {}, { body: { listingId: '7' } });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/cars-for-sale/api/call/emailOwner');
    expect(init).toMatchObject({
      method: 'POST',
      body: '{"listingId":"7"}',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'forecourt' },
    });
  });

  it('sends the idempotency key of a repeatable write', async () => {
    answer('{}');
    await callGateway('saveDeal', {}, { body: {}, idempotencyKey: 'key-0001' });
    expect(fetched.mock.calls[0]?.[1]?.headers).toMatchObject({ 'Idempotency-Key': 'key-0001' });
  });

  it.each([
    ['{"error":{"code":"INVALID_BODY","message":"zip"}}', 400, 'INVALID_BODY'],
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
