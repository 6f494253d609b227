import { describe, it, expect } from '@jest/globals';
import { MANUFACTURER_CHANNEL, CAMPAIGN_CHANNELS, campaignChannelOf } from './campaignChannels.ts';
import { BRANDS } from '@forecourt/search/brands';

describe('campaign codes', () => {
  // rows: B3-CAMPAIGN-02
  it('contain six codes of each kind for the manufacturer’s channel', () => {
    expect(MANUFACTURER_CHANNEL).toBe(BRANDS.oem.channel);
    for (const kind of ['psid', 'siomid'] as const)
      expect(Object.values(CAMPAIGN_CHANNELS[kind])).toEqual(Array(6).fill(MANUFACTURER_CHANNEL));
  });

  it('are not valid for the other kind, and unknown codes are ignored', () => {
    const [psid = ''] = Object.keys(CAMPAIGN_CHANNELS.psid);
    expect(campaignChannelOf({ psid })).toBe(MANUFACTURER_CHANNEL);
    expect(campaignChannelOf({ siomid: psid })).toBeUndefined();
    expect(campaignChannelOf({ psid: 'constructor', siomid: '' })).toBeUndefined();
    expect(campaignChannelOf({ psid: 'unknown', siomid: Object.keys(CAMPAIGN_CHANNELS.siomid)[0]! })).toBe(
      MANUFACTURER_CHANNEL,
    );
    expect(campaignChannelOf({})).toBeUndefined();
  });
});
