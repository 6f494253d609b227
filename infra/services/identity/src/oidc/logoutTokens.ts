import { setTimeout as wait } from 'node:timers/promises';
import { createEgress, type EgressRule } from '@forecourt/service-kit/egress';
import type { Client, Configuration, Provider } from 'oidc-provider';
import type { Logger } from '@forecourt/service-kit/log';
import type { EndedSession, EndSessions } from './storage.ts';

/** The policy: what the service connects to, besides database, mail server and receiver of traces. */
const EGRESS = {
  /** The clients' `backchannel_logout_uri`, which the configuration names. */
  logout: (uri: string): EgressRule => ({
    purpose: 'logout',
    allows: ({ href }) => href === new URL(uri).href,
    isConfigured: true,
    timeoutMs: 2_500,
    maxBytes: 16 * 1024,
  }),
} as const;

/** `fetch` of oidc-provider, which sends logout tokens by it and nothing else. */
export function createLogoutFetch(uri: string): NonNullable<Configuration['fetch']> {
  const send = createEgress(EGRESS.logout(uri));
  return (input, { method, headers, body } = {}) =>
    send(input instanceof Request ? input.url : String(input), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body instanceof URLSearchParams && { body: body.toString() }),
    });
}

/** ms before each further attempt. */
const RETRY_MS = [1_000, 10_000];

interface LogoutSender {
  readonly provider: Provider;
  readonly logger: Logger;
  readonly count: (outcome: 'delivered' | 'failed') => void;
  /** Overrides `RETRY_MS`, for tests. */
  readonly retryMs?: readonly number[] | undefined;
}

/** oidc-provider has it, its types don't. @throws for a response other than 200 and 204 */
type LogoutClient = Client & {
  readonly backchannelLogout: (accountId: string, sid: string) => Promise<void>;
};

/** Sends a logout token with new id and time; false if the client doesn't take it. */
async function attempt({ provider, logger }: LogoutSender, session: EndedSession): Promise<boolean> {
  const { accountId, clientId, sid } = session;
  try {
    const client = await provider.Client.find(clientId);
    if (client?.backchannelLogoutUri) await (client as LogoutClient).backchannelLogout(accountId, sid);
    return true;
  } catch (error) {
    logger.warn({ err: error, clientId }, 'logout token not delivered');
    return false;
  }
}

async function deliver(
  sender: LogoutSender,
  session: EndedSession,
  pauses: readonly number[],
): Promise<void> {
  for (const pause of pauses) {
    await wait(pause, undefined, { ref: false });
    if (await attempt(sender, session)) return sender.count('delivered');
  }
  return sender.count('failed');
}

/**
 * Tells clients of the sessions that `endSessions` ends (OpenID Connect Back-Channel Logout 1.0), in the background: shells
 * learn it by introspection, too. Also repeats what oidc-provider, which tells them at sign-out, could not deliver.
 */
export function tellClients(endSessions: EndSessions, sender: LogoutSender): EndSessions {
  const { provider, logger, count, retryMs = RETRY_MS } = sender;
  provider.on('backchannel.success', () => count('delivered'));
  provider.on('backchannel.error', (_, error, { clientId }, accountId, sid) => {
    logger.warn({ err: error, clientId }, 'logout token not delivered');
    void deliver(sender, { accountId, clientId, sid }, retryMs);
  });
  return async (...account) => {
    const sessions = await endSessions(...account);
    for (const session of sessions) void deliver(sender, session, [0, ...retryMs]);
    return sessions;
  };
}
