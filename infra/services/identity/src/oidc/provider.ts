import {
  Provider,
  errors,
  interactionPolicy,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Adapter } from 'oidc-provider';
import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.ts';
import type { Config } from '../config.ts';
import { signOutPage } from '../pages/credentialPages.ts';
import { brandOf, messagePage, renderPage, type Page } from '../pages/layout.ts';
import type { Site } from '../http/visits.ts';
import type { Keys } from './keys.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Paths of the shell that the protocol leads back to. */
export const CALLBACK_PATH = '/account/callback';
export const SIGNED_OUT_PATH = '/account/signed-out';

export type IssuerOptions = Pick<
  Config,
  'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_CLIENT_ORIGINS' | 'TRUST_PROXY'
>;

interface IssuerDeps {
  readonly accounts: Accounts;
  readonly adapter: (model: string) => Adapter;
  readonly keys: Keys;
  readonly site: Site;
  readonly logger: Logger;
}

/**
 * `prompt=create` opens the sign-up form (OpenID Connect: Initiating User
 * Registration); `prompt=password`, our own, lets who is signed in change the
 * password, and asks others to sign in first.
 */
function policy() {
  const prompts = interactionPolicy.base();
  prompts.add(new interactionPolicy.Prompt({ name: 'password', requestable: true }));
  prompts.add(new interactionPolicy.Prompt({ name: 'create', requestable: true }), 0);
  return prompts;
}

function clientOf(options: IssuerOptions) {
  const { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CLIENT_ORIGINS } = options;
  return {
    client_id: OIDC_CLIENT_ID,
    ...(OIDC_CLIENT_SECRET
      ? { client_secret: OIDC_CLIENT_SECRET, token_endpoint_auth_method: 'client_secret_basic' as const }
      : { token_endpoint_auth_method: 'none' as const }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    redirect_uris: OIDC_CLIENT_ORIGINS.map((origin) => origin + CALLBACK_PATH),
    post_logout_redirect_uris: OIDC_CLIENT_ORIGINS.map((origin) => origin + SIGNED_OUT_PATH),
    id_token_signed_response_alg: 'ES256' as const,
  };
}

/** The issuer: the protocol is oidc-provider's, pages and accounts are ours. */
export function createIssuer(deps: IssuerDeps, options: IssuerOptions): Provider {
  const { accounts, site, logger } = deps;
  const isSecure = options.OIDC_ISSUER.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: true } as const;
  const show = (ctx: KoaContextWithOIDC, page: Page) => {
    ctx.type = 'html';
    ctx.body = renderPage(page, { ...site, brand: brandOf(ctx.oidc?.params?.['brand']) });
  };

  const configuration: Configuration = {
    adapter: deps.adapter,
    clients: [clientOf(options)],
    jwks: { keys: deps.keys.jwks },
    cookies: {
      keys: deps.keys.cookieKeys,
      // On one's own machine all services share the host's cookies: names of their own keep them apart.
      names: { session: 'identity', interaction: 'identityVisit', resume: 'identityResume' },
      long: cookie,
      // Their paths are those of the visit, so that two tabs do not disturb each other.
      short: cookie,
    },
    scopes: ['openid', 'profile', 'email'],
    // A hint to what our pages look like; an unknown one is none.
    extraParams: ['brand'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    // Two pages of a visitor may renew at once; a rotated token would sign one of them out.
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
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(form)?.[1] ?? '';
          const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
          // A token of the visitor's proves that the site asks; anybody else's link has to be confirmed.
          const isAsked = ctx.oidc.entities.IdTokenHint?.payload?.['sub'] === ctx.oidc.session?.accountId;
          show(ctx, signOutPage(xsrf, action, isAsked ? site.assets.signOutScript : undefined));
        },
        postLogoutSuccessSource: (ctx) =>
          show(
            ctx,
            messagePage('You are signed out', 'See you soon.', {
              href: `${site.shop}/`,
              label: 'Go to the vehicles',
            }),
          ),
      },
    },
    // Our own shop: nobody has to be asked whether it may know them.
    async loadExistingGrant(ctx) {
      const { client, session, result, provider } = ctx.oidc;
      if (!client || !session?.accountId) return undefined;
      const grantId = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
      const known = grantId ? await provider.Grant.find(grantId) : undefined;
      if (known) return known;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    async findAccount(_, id) {
      const account = accounts.byId(id);
      return (
        account && {
          accountId: id,
          claims: async () => ({ sub: id, name: account.name, email: account.email }),
        }
      );
    },
    renderError(ctx, _, error) {
      logger.info({ code: error.name, message: error.message }, 'refused by the protocol');
      show(
        ctx,
        messagePage('That did not work', 'The link is incomplete or too old. Start again from the site.', {
          href: `${site.shop}/account/sign-in`,
          label: 'Try again',
        }),
      );
    },
    discovery: { prompt_values_supported: ['none', 'login', 'consent', 'create', 'password'] },
  };

  const provider = new Provider(options.OIDC_ISSUER, configuration);
  provider.proxy = options.TRUST_PROXY > 0;
  provider.on('server_error', (_, error) => logger.error({ err: error }, 'protocol failed'));
  return provider;
}

/** The visit is over, was never begun in this browser, or is older than an hour. */
export const isLostVisit = (error: unknown): boolean => error instanceof errors.SessionNotFound;
