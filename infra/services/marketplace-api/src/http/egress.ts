import { type EgressRule, issuerRule } from '@forecourt/service-kit/egress';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** Push services of the browsers. Visitors name the endpoint, so other hosts are refused. */
const PUSH_HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
const PUSH_SUFFIXES = ['.notify.windows.com', '.push.apple.com', '.push.services.mozilla.com'];

/** Whether a host is 'photos.example' or, for '*.dealer.example', one below it. */
const matchesHost = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

const PHOTO_LIMITS = { timeoutMs: 15_000, maxBytes: 15 * MEGABYTE, redirects: 2 };

const isPlain = ({ username, password, port }: URL): boolean => username + password + port === '';

/** The policy: what this service connects to, besides its mail server, its databases and a bucket, which only the configuration names. */
export const EGRESS = {
  issuer: (issuer: string) => issuerRule(issuer, 3_000),
  /** `anyHost`: push services of tests on this machine. */
  push: (anyHost = false): EgressRule => ({
    purpose: 'push',
    allows: (url) =>
      anyHost ||
      (url.protocol === 'https:' &&
        isPlain(url) &&
        (PUSH_HOSTS.includes(url.hostname) || PUSH_SUFFIXES.some((suffix) => url.hostname.endsWith(suffix)))),
    isConfigured: anyHost,
    timeoutMs: 5_000,
    maxBytes: 64 * KILOBYTE,
  }),
  firebase: (origins: readonly string[]): EgressRule => ({
    purpose: 'firebase',
    allows: ({ origin }) => origins.includes(origin),
    isConfigured: true,
    timeoutMs: 5_000,
    maxBytes: 64 * KILOBYTE,
  }),
  /** A scheduled feed, whose address the operator names. */
  feed: (address: string): EgressRule => ({
    purpose: 'feed',
    allows: ({ origin }) => URL.canParse(address) && origin === new URL(address).origin,
    isConfigured: true,
    timeoutMs: 300_000,
    maxBytes: 256 * MEGABYTE,
    redirects: 2,
  }),
  /** Photos of a feed. The feed names the URLs, the operator the hosts: 'photos.example' or '*.dealer.example'. */
  photos: (hosts: readonly string[]): EgressRule => ({
    purpose: 'photos',
    allows: (url) => isPlain(url) && hosts.some((pattern) => matchesHost(url.hostname, pattern)),
    isConfigured: false,
    ...PHOTO_LIMITS,
  }),
  /** Photos on servers of the operator's own network. */
  internalPhotos: (origins: readonly string[]): EgressRule => ({
    purpose: 'photos',
    allows: ({ origin }) => origins.includes(origin),
    isConfigured: true,
    ...PHOTO_LIMITS,
  }),
} as const;
