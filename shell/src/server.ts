import { join } from 'node:path';
import { readConfig, type ShellConfig } from './config.ts';
import { openRuntime, type Runtime, runShell } from './engine/index.ts';
import { openEndedSessions } from './marketplace/accounts/backChannelLogout.ts';
import { createAccounts, type Accounts } from './marketplace/accounts/createAccounts.ts';
import { createOpenIdIssuer } from './marketplace/accounts/openIdIssuer.ts';
import { createApp } from './marketplace/app.ts';
import { callsWithWallet } from './marketplace/calls/callsWithWallet.ts';
import hero from './marketplace/results/slots/hero.tsx';
import related from './marketplace/results/slots/related.tsx';
import { warmUpPages } from './marketplace/recorded/warmUpPages.ts';
import { SITE_PLAN } from './marketplace/site.ts';
import { keepSlugReference } from './marketplace/urls/slugReference.ts';
import { openFlagSource } from './marketplace/visitor/flags.ts';

function createSignIn({ adapters, assets, sessionSecret: secret }: Runtime, config: ShellConfig): Accounts {
  const { metrics, limits, logger } = adapters;
  const issuer = createOpenIdIssuer({
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    isHttpAllowed: config.LOCAL_MODE,
  });
  const ended = openEndedSessions(config.DATABASE_URL);
  const { css } = assets;
  return createAccounts({ issuer, ended, secret, css, metrics, limits, logger, now: Date.now }, config);
}

runShell(async () => {
  const config = readConfig(process.env);
  const runtime = await openRuntime(SITE_PLAN, {
    config,
    dist: join(__dirname, '..'),
    upstreamUrl: config.MARKETPLACE_API_URL,
    calls: callsWithWallet(config.WALLET_BASE),
  });
  const reference = keepSlugReference(runtime.adapters.gateway);
  const flags = await openFlagSource(config);
  const { close: closeAccounts, ...accounts } = createSignIn(runtime, config);
  const ownSlots = { hero, related };
  const app = createApp({ ...runtime.adapters, reference, ownSlots, flags, ...accounts }, config);
  await runtime.serve(app, {
    start: reference.start,
    warmUp() {
      const { reference: recorded, ...pages } = warmUpPages();
      return {
        ...pages,
        createApp: (adapters) => createApp({ ...adapters, reference: recorded, ownSlots }, config),
      };
    },
    async stop() {
      reference.stop();
      await Promise.all([flags.close(), closeAccounts()]);
    },
  });
});
