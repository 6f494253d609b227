/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PermanentError } from '../../../engine/browser/call.ts';
import { loadShownSearch } from './searchCalls.ts';

const fetches = jest.fn<typeof fetch>();
const answer = (body: unknown) => fetches.mockResolvedValueOnce(Response.json(body));

describe('the search of the shown page', () => {
  beforeEach(() => {
    window.history.replaceState(null, '', '/cars-for-sale/used?zip=60601');
    fetches.mockReset();
    window.fetch = fetches;
  });

  it('is requested by the current URL', async () => {
    answer({ kind: 'page', page: { totalResultCount: 8 } });
    expect(await loadShownSearch()).toMatchObject({ totalResultCount: 8, status: 'ready' });
    expect(fetches.mock.calls[0]?.[0]).toBe(
      `/cars-for-sale/api/search?url=${encodeURIComponent('/cars-for-sale/used?zip=60601')}`,
    );
  });

  it('fails for good if the URL is no search', async () => {
    answer({ kind: 'document' });
    await expect(loadShownSearch()).rejects.toBeInstanceOf(PermanentError);
  });
});
