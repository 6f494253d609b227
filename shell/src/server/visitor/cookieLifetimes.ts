// Sessions and campaigns
/** s; the session id cookie (A9-LIMIT-12, AMB-166). */
export const SESSION_COOKIE_SECONDS = 1800;

/** ms; the campaign cookie (B9-CAMPAIGN-01, AMB-163). */
export const CAMPAIGN_COOKIE_MS = 604_800_000;
