/** Channel of campaigns paid by the manufacturer. */
export const MANUFACTURER_CHANNEL = 'OEM';

const manufacturer = (...codes: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(codes.map((code) => [code, MANUFACTURER_CHANNEL]));

/**
 * Campaign codes of both kinds and their channel.
 * The specs name no codes; these are placeholders (AMB-163).
 */
export const CAMPAIGN_CHANNELS = {
  psid: manufacturer('mfr-tv', 'mfr-radio', 'mfr-print', 'mfr-mail', 'mfr-event', 'mfr-dealer'),
  siomid: manufacturer('mfr-search', 'mfr-social', 'mfr-video', 'mfr-banner', 'mfr-audio', 'mfr-partner'),
} as const;

const channelIn = (codes: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(codes, code) ? codes[code] : undefined;

/** The channel of a link with these codes, `psid` before `siomid`; undefined for unknown codes. */
export const campaignChannelOf = (codes: {
  readonly psid?: string;
  readonly siomid?: string;
}): string | undefined =>
  channelIn(CAMPAIGN_CHANNELS.psid, codes.psid) ?? channelIn(CAMPAIGN_CHANNELS.siomid, codes.siomid);
