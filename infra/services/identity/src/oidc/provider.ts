import {
  Provider,
  errors,
  interactionPolicy,
  type Configuration,
  type KoaContextWithOIDC,
  type Adapter,
} from 'oidc-provider';
import type { Logger } from '@forecourt/service-kit/log';
import { type Accounts, brandOf } from '../accounts/accounts.ts';
import type { Config } from '../config.ts';
import { signOutPage } from '../pages/credentialPages.ts';
import { messagePage, renderPage, type Page, type Site } from '../pages/layout.ts';
import { createLogoutFetch } from './logoutTokens.ts';
import type { Keys } from './storage.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Redirect paths of the shell. */
const CALLBACK_PATH = '/account/callback';
const SIGNED_OUT_PATH = '/account/signed-out';
/** Redirect path of the registry's control room. */
const ROOM_CALLBACK_PATH = '/room/api/callback';

export type IssuerOptions = Pick<Config, 'OIDC_ISSUER' | 'OIDC_CLIENTS' | 'LOCAL_MODE' | 'TRUST_PROXY'>;

interface IssuerDeps {
  readonly accounts: Accounts;
  readonly adapter: (model: string) => Adapter;
  readonly keys: Keys;
  readonly site: Site;
  readonly logger: Logger;
}

/**
 * `prompt=create` opens the sign-up form (OpenID Connect: Initiating User
 * Registration). `prompt=password` and `prompt=delete` are our extensions: they
 * change the password or delete the account, after signing in if needed.
 */
function policy() {
  const prompts = interactionPolicy.base();
  prompts.add(new interactionPolicy.Prompt({ name: 'password', requestable: true }));
  prompts.add(new interactionPolicy.Prompt({ name: 'delete', requestable: true }));
  prompts.add(new interactionPolicy.Prompt({ name: 'create', requestable: true }), 0);
  return prompts;
}

/** A client with a secret presents it; without one, PKCE alone authenticates it. */
const authenticationOf = (secret: string | undefined) =>
  secret === undefined
    ? { token_endpoint_auth_method: 'none' as const }
    : { client_secret: secret, token_endpoint_auth_method: 'client_secret_basic' as const };

/** The shells. */
const shellClient = ({ id, secret, origins, logoutUri }: IssuerOptions['OIDC_CLIENTS']['shell']) => ({
  client_id: id,
  ...authenticationOf(secret),
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  redirect_uris: origins.map((origin) => origin + CALLBACK_PATH),
  post_logout_redirect_uris: origins.map((origin) => origin + SIGNED_OUT_PATH),
  backchannel_logout_uri: logoutUri,
  // Id tokens name the session, and logout tokens which of them ended.
  backchannel_logout_session_required: true,
  id_token_signed_response_alg: 'ES256' as const,
});

/** The control room of the registry; none outside local mode without a secret. */
const roomClients = ({ OIDC_CLIENTS: { room }, LOCAL_MODE }: IssuerOptions) =>
  room.secret === undefined && !LOCAL_MODE
    ? []
    : [
        {
          client_id: room.id,
          ...authenticationOf(room.secret),
          grant_types: ['authorization_code'],
          response_types: ['code' as const],
          redirect_uris: room.origins.map((origin) => origin + ROOM_CALLBACK_PATH),
          id_token_signed_response_alg: 'ES256' as const,
        },
      ];

/** Sends one of our pages as the response of oidc-provider. */
function showPage(site: Site, ctx: KoaContextWithOIDC, page: Page): void {
  ctx.type = 'html';
  ctx.body = renderPage(page, { ...site, brand: brandOf(ctx.oidc?.params?.['brand']) });
}

/** Sign-out requested by the shop, with our own pages. */
const signOutFeature = (site: Site) => ({
  enabled: true,
  logoutSource(ctx: KoaContextWithOIDC, form: string) {
    const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(form)?.[1] ?? '';
    const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
    // The visitor's own token proves that the shop requested it; any other link needs confirmation.
    const isFromShop = ctx.oidc.entities.IdTokenHint?.payload?.['sub'] === ctx.oidc.session?.accountId;
    showPage(site, ctx, signOutPage(xsrf, action, isFromShop ? site.assets.signOutScript : undefined));
  },
  postLogoutSuccessSource(ctx: KoaContextWithOIDC) {
    const link = { href: `${site.shop}/`, label: 'See cars for sale' };
    showPage(site, ctx, messagePage('You are signed out', 'See you soon!', link));
  },
});

/** Grants the client all scopes. It is a first-party client, so there is no consent screen. */
async function loadGrant(ctx: KoaContextWithOIDC) {
  const { client, session, result, provider } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const grantId = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  const existing = grantId ? await provider.Grant.find(grantId) : undefined;
  if (existing) return existing;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile email');
  await grant.save();
  return grant;
}

/** The OpenID Connect issuer: oidc-provider with our pages and accounts. */
export function createIssuer(deps: IssuerDeps, options: IssuerOptions): Provider {
  const { accounts, site, logger } = deps;
  const isSecure = options.OIDC_ISSUER.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true } as const;

  const configuration: Configuration = {
    adapter: deps.adapter,
    clients: [shellClient(options.OIDC_CLIENTS.shell), ...roomClients(options)],
    jwks: { keys: deps.keys.jwks },
    cookies: {
      keys: deps.keys.cookieKeys,
      // Services on localhost share cookies, so the names must be unique.
      names: { session: 'identity', interaction: 'identityVisit', resume: 'identityResume' },
      long: cookie,
      // Scoped to the interaction's path, so that tabs do not interfere.
      short: cookie,
    },
    scopes: ['openid', 'profile', 'email'],
    // Brand hint for the style of the pages.
    extraParams: ['brand'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    // Two pages may refresh at the same time; rotation would sign one of them out.
    rotateRefreshToken: false,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    ttl: {
      Session: 14 * DAY,
      Grant: 14 * DAY,
      RefreshToken: 14 * DAY,
      AccessToken: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      AuthorizationCode: 60,
    },
    interactions: { policy: policy(), url: (_, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async () => true },
      // Shells ask whether a session was ended; only about their own tokens.
      introspection: {
        enabled: true,
        allowedPolicy: async (_, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: signOutFeature(site),
      backchannelLogout: { enabled: true },
    },
    fetch: createLogoutFetch(options.OIDC_CLIENTS.shell.logoutUri),
    loadExistingGrant: loadGrant,
    async findAccount(_, id) {
      const account = await accounts.byId(id);
      return (
        account && {
          accountId: id,
          // An account exists only after its address was confirmed by mail.
          claims: async () => ({
            sub: id,
            name: account.name,
            email: account.email,
            email_verified: true,
          }),
        }
      );
    },
    renderError(ctx, _, error) {
      logger.info({ code: error.name }, 'protocol error');
      const link = { href: `${site.shop}/account/sign-in`, label: 'Try again' };
      const text = 'The link is incomplete or has expired. Please start again.';
      showPage(site, ctx, messagePage('Something went wrong', text, link));
    },
    discovery: { prompt_values_supported: ['none', 'login', 'consent', 'create', 'password', 'delete'] },
  };

  const provider = new Provider(options.OIDC_ISSUER, configuration);
  provider.proxy = options.TRUST_PROXY > 0;
  provider.on('server_error', (_, error) => logger.error({ err: error }, 'protocol server error'));
  return provider;
}

/** The interaction is finished, expired, or belongs to another browser. */
export const isExpiredVisit = (error: unknown): boolean => error instanceof errors.SessionNotFound;
