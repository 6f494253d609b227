import { describe, expect, it, jest } from '@jest/globals';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import { createPlaceLookup } from './placeLookup.ts';

const context = { requestId: 'request-1' };
function rig(answer: (zip: string) => CallResponses['zipLookup'], maxPlaces?: number) {
  const call = jest.fn((_: string, params: unknown) =>
    Promise.resolve(answer((params as { zip: string }).zip)),
  );
  const lookup = createPlaceLookup({ call } as unknown as Gateway, { ...(maxPlaces ? { maxPlaces } : {}) });
  return { call, lookup: (zip: string) => lookup(zip, context) };
}

describe('place lookup', () => {
  // rows: A7-OTHER-05
  it('requests a ZIP once', async () => {
    const { call, lookup } = rig(() => ({ success: true, city: 'Chicago', state: 'IL', dma: '602' }));
    expect(await lookup('60601')).toEqual({ city: 'Chicago', state: 'IL' });
    expect(await lookup('60601')).toEqual({ city: 'Chicago', state: 'IL' });
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('repeats the request for an unknown ZIP, because a failed call looks the same', async () => {
    const { call, lookup } = rig(() => ({ success: false }));
    expect(await lookup('00000')).toBeUndefined();
    expect(await lookup('00000')).toBeUndefined();
    expect(call).toHaveBeenCalledTimes(2);
  });

  it('caches a limited number of ZIPs', async () => {
    const { call, lookup } = rig((zip) => ({ success: true, city: zip, state: 'IL' }), 2);
    for (const zip of ['1', '2', '3', '3', '1']) await lookup(zip);
    expect(call).toHaveBeenCalledTimes(4);
  });
});
