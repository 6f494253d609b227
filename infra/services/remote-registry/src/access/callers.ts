import { createHash, timingSafeEqual } from 'node:crypto';
import { ACTIONS, type Caller } from '@forecourt/cli/release';
import type { Credentials } from './credentials.ts';

const EVERYTHING: Caller['scopes'] = [{ remote: '*', actions: [...ACTIONS] }];

/** The holder of REGISTRY_TOKEN, who creates the first credentials. */
const BOOTSTRAP: Caller = { name: 'bootstrap', scopes: EVERYTHING };
/** Someone on this machine, in local mode without REGISTRY_TOKEN. */
export const LOCAL: Caller = { name: 'local', scopes: EVERYTHING };

/** Reserved names: a credential with one could pass for another caller in the history. */
export const RESERVED_NAMES: readonly string[] = [BOOTSTRAP.name, LOCAL.name, 'offline', 'self', 'exchange'];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The caller of a token: REGISTRY_TOKEN's or a credential's. The function throws RegistryError UNAUTHORIZED. */
export function callersByToken(
  credentials: Pick<Credentials, 'authenticate'>,
  registryToken: string | undefined,
): (token: string) => Promise<Caller> {
  const expected = registryToken === undefined ? undefined : digest(registryToken);
  return async (token) => {
    // Digests have equal length, so that the comparison's time reveals neither length nor content.
    if (expected && timingSafeEqual(digest(token), expected)) return BOOTSTRAP;
    return credentials.authenticate(token);
  };
}
