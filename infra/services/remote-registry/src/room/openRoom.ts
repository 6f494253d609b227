import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { createSessions, type SessionOptions, type Sessions, type Claims } from './sessions.ts';
import { type ShellWatch, watchShells } from './roomBoard.ts';
import { createEgress } from '@forecourt/service-kit/egress';
import { mustBeIssuer } from '@forecourt/service-kit/issuerUrl';
import { RegistryError } from '@forecourt/release-kit/registryError';
import * as openId from 'openid-client';
import { EGRESS } from '../access/egress.ts';

/** Kept in the browser until the issuer sends it back. */
interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer of the people who steer releases. */
export interface PeopleIssuer {
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** Claims of the verified ID token. @throws RegistryError UNAUTHORIZED, ISSUER_UNAVAILABLE */
  readonly finish: (callback: URL, pending: PendingSignIn) => Promise<Claims>;
}

const TIMEOUT_SECONDS = 5;

const unavailable = (issuer: string, cause: unknown) =>
  new RegistryError('ISSUER_UNAVAILABLE', `${issuer} can't be reached; try again`, { cause });

export function createPeopleIssuer({
  issuer,
  clientId,
  clientSecret,
  isHttpAllowed,
}: {
  readonly issuer: string;
  readonly clientId: string;
  /** Without a secret, PKCE alone authenticates the registry. */
  readonly clientSecret?: string | undefined;
  /** Only for an issuer on the same machine. */
  readonly isHttpAllowed: boolean;
}): PeopleIssuer {
  const send = createEgress(EGRESS.issuer(issuer));
  let discovered: Promise<openId.Configuration> | undefined;
  async function configuration(): Promise<openId.Configuration> {
    discovered ??= openId.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? openId.None() : openId.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        execute: isHttpAllowed ? [openId.allowInsecureRequests] : [],
        [openId.customFetch]: (url, { method, headers, body }) =>
          send(url, { method, headers, ...(body instanceof URLSearchParams && { body: body.toString() }) }),
      },
    );
    try {
      const found = await discovered;
      // The library compares parsed URLs, which takes an origin with and without a slash for the same.
      mustBeIssuer(found.serverMetadata().issuer, issuer);
      return found;
    } catch (error) {
      // The next sign-in tries again.
      discovered = undefined;
      throw unavailable(issuer, error);
    }
  }

  return {
    async begin(redirectUri) {
      const pending = {
        state: openId.randomState(),
        nonce: openId.randomNonce(),
        verifier: openId.randomPKCECodeVerifier(),
      };
      const url = openId.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await openId.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async finish(callback, { state, nonce, verifier }) {
      const issuerConfiguration = await configuration();
      try {
        const tokens = await openId.authorizationCodeGrant(issuerConfiguration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return tokens.claims() ?? {};
      } catch (error) {
        throw new RegistryError('UNAUTHORIZED', 'the issuer did not confirm this sign-in; start again', {
          cause: error,
        });
      }
    },
  };
}

interface RoomFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly brotli: Buffer;
}

/** The built page of the control room. */
interface RoomFiles {
  readonly html: string;
  /** By file name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, RoomFile>;
}

export const ASSETS_PATH = '/room/assets/';

/** Compressed once per start: the best quality would take half a second for a tenth less. */
const BROTLI_QUALITY = 5;

const TYPES = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;
const NAME = /^[\w-]+\.[0-9a-f]{8,}\.(js|css)$/;

function readAsset(directory: string, name: string): RoomFile {
  const bytes = readFileSync(join(directory, name));
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return { type: TYPES[name.endsWith('.css') ? 'css' : 'js'], bytes, brotli };
}

const integrityOf = ({ bytes }: RoomFile) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** Reads the built page; undefined if `directory` has none. */
function readRoomFiles(directory: string): RoomFiles | undefined {
  let names: string[];
  try {
    names = readdirSync(directory).filter((name) => NAME.test(name));
  } catch {
    // Not built: the registry works without its page.
    return undefined;
  }
  const assets = new Map(names.map((name) => [name, readAsset(directory, name)]));
  const tags = [...assets].map(([name, file]) => {
    const attributes = `integrity="${integrityOf(file)}" crossorigin="anonymous"`;
    return name.endsWith('.css')
      ? `<link rel="stylesheet" href="${ASSETS_PATH}${name}" ${attributes}>`
      : `<script defer src="${ASSETS_PATH}${name}" ${attributes}></script>`;
  });
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
    `<title>Control room</title><link rel="icon" href="data:,">${tags.join('')}</head>` +
    '<body><div id="room"><noscript>The control room needs JavaScript. ' +
    'The forecourt command does the same without a browser.</noscript></div></body></html>';
  return { html, assets };
}

/** The control room, a page for people who steer releases. */
export interface Room {
  readonly files: RoomFiles;
  readonly sessions: Sessions;
  readonly shells: ShellWatch;
  /** Where people sign in; without it, only with tokens. */
  readonly issuer?: PeopleIssuer | undefined;
}

/** Where the build puts the page. */
const BUILT_PAGE = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Undefined if the page is not built. */
export function openRoom(
  options: SessionOptions & {
    readonly shellUrls: readonly string[];
    /** For the gates and reports of the shells. */
    readonly gateToken?: string | undefined;
    /** Folder of the built page. */
    readonly directory?: string;
    readonly issuer?: PeopleIssuer | undefined;
  },
): Room | undefined {
  const { shellUrls, gateToken, issuer, directory = BUILT_PAGE } = options;
  const files = readRoomFiles(directory);
  if (!files) return undefined;
  return {
    files,
    sessions: createSessions(options),
    shells: watchShells({ shellUrls, token: gateToken }),
    issuer,
  };
}
