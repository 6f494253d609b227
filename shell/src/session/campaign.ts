import { CAMPAIGN_CHANNELS } from './campaignChannels.ts';

const CHANNELS: ReadonlySet<string> = new Set(
  Object.values(CAMPAIGN_CHANNELS).flatMap((codes) => Object.values(codes)),
);

/** The channel in a cookie, which anybody can write: only one of the table counts. */
export const campaignChannel = (cookie: string | undefined): string | undefined =>
  cookie !== undefined && CHANNELS.has(cookie) ? cookie : undefined;
