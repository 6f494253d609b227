import type { Call } from '@forecourt/shared-contracts/slots';
import { outcomeOfAnswer } from '../outbox/delivery.ts';
import { forgetStored, readStored, writeStored } from '../storage/browserStorage.ts';
import { STORAGE_KEYS } from '../storage/keys.ts';
import { askPermission, type Permission } from './permission.ts';
import { trustedScript, WORKER_PATH } from '../trustedScripts.ts';
import { WORKER_SCOPE, type TokenProvider } from './tokenProvider.ts';

/** ms; a browser that cannot reach its vendor's push service goes on trying without a word. */
const TOKEN_WITHIN_MS = 10_000;

export interface OptInParts {
  readonly call: Call;
  readonly provider: TokenProvider;
  readonly brand: string;
  /** First-party id of this browser. */
  readonly pixallId: () => string;
  /** Something went wrong that the shopper need not see. */
  readonly report: (code: string, error: unknown) => void;
}

/** `registered`: this browser is told of news from now on; `failed`: allowed, but the upstream does not know it yet. */
export type OptInOutcome = Exclude<Permission, 'granted'> | 'registered' | 'failed';

const storedToken = () =>
  readStored(STORAGE_KEYS.notificationToken, (value) => (typeof value === 'string' ? value : undefined));

async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(trustedScript(WORKER_PATH), { scope: WORKER_SCOPE });
  return navigator.serviceWorker.ready;
}

/** A token that cannot be fetched is no token (A8-ERR-07, AMB-169); one that comes too late is fetched on the next visit. */
async function fetchToken({ provider, report }: OptInParts): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the push service is silent')), TOKEN_WITHIN_MS);
  });
  try {
    return await Promise.race([worker().then(provider.token), silence]);
  } catch (error) {
    report('PUSH_TOKEN', error);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells the upstream of this browser (A7-DEVICE-01). Its call gives up after a second by itself. */
async function register({ call, brand, pixallId, report }: OptInParts, token: string): Promise<boolean> {
  try {
    const body = { brand, pixall_id: pixallId(), browser_token: token };
    return outcomeOfAnswer(await call('registerDevice', {}, { body })) === 'sent';
  } catch (error) {
    report('DEVICE', error);
    return false;
  }
}

/** Blocked: the token is cleared here and upstream (A4-NOTIF-08). */
async function clearToken({ call, report }: OptInParts): Promise<void> {
  const token = storedToken();
  forgetStored(STORAGE_KEYS.notificationToken);
  if (token === undefined) return;
  try {
    await call('forgetDevice', {}, { body: { browser_token: token } });
  } catch (error) {
    report('DEVICE', error);
  }
}

/** Token and device of a browser that may be notified. The token is kept, so that a later block can clear it. */
async function enrol(parts: OptInParts): Promise<'registered' | 'failed'> {
  const token = await fetchToken(parts);
  if (token === undefined || !(await register(parts, token))) return 'failed';
  writeStored(STORAGE_KEYS.notificationToken, token);
  return 'registered';
}

/** The way of somebody who wants notifications: permission, token, device (A4-NOTIF-06..08). */
export async function optIn(parts: OptInParts): Promise<OptInOutcome> {
  const permission = await askPermission();
  if (permission === 'denied') await clearToken(parts);
  return permission === 'granted' ? enrol(parts) : permission;
}

/**
 * On every page: a permission that was taken back takes the token along
 * (A4-NOTIF-08); one that was given in the prompt but could not be made known
 * upstream is made known now.
 */
export async function followPermission(
  parts: OptInParts,
  permission: Permission,
  wasPrompted: boolean,
): Promise<void> {
  if (permission === 'denied') await clearToken(parts);
  if (permission === 'granted' && wasPrompted && storedToken() === undefined) await enrol(parts);
}
