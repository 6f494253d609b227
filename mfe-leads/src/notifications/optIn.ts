import type { SessionState } from '@forecourt/search/state';
import type { Call } from '@forecourt/slots';
import { outcomeOfResponse } from '../outbox/delivery.ts';
import { readStored, removeStored, STORAGE_KEYS, writeStored } from '../storage/webStorage.ts';
import { trustedScript, WORKER_PATH } from '../trustedScripts.ts';
import {
  hasPush,
  requestPermission,
  type Permission,
  createWebPush,
  type TokenProvider,
} from './browserPush.ts';

/** Scope of the service worker that shows notifications. */
const WORKER_SCOPE = '/cars-for-sale/';
/** ms; browsers that cannot reach their push service retry without an error. */
const TOKEN_TIMEOUT_MS = 10_000;

export interface OptInOptions {
  readonly call: Call;
  readonly provider: TokenProvider;
  readonly brand: string;
  /** First-party id of this browser. */
  readonly pixallId: () => string;
  /** Logs an error that the shopper does not need to see. */
  readonly report: (code: string, error: unknown) => void;
}

/** `registered`: notifications are on; `failed`: permission is granted, but this browser is not registered upstream. */
export type OptInOutcome = Exclude<Permission, 'granted'> | 'registered' | 'failed';

/** Web Push, or Firebase where the site has configured it. */
export const createTokenProvider = (call: Call, firebase: SessionState['firebase']): TokenProvider =>
  firebase === undefined
    ? createWebPush(call)
    : {
        // Loaded on demand: sites without Firebase never download it.
        async token(registration) {
          const { createFirebase } = await import('./firebase.ts');
          return createFirebase(firebase).token(registration);
        },
      };

const storedToken = () =>
  readStored(STORAGE_KEYS.notificationToken, (value) => (typeof value === 'string' ? value : undefined));

async function registerWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(trustedScript(WORKER_PATH), { scope: WORKER_SCOPE });
  return navigator.serviceWorker.ready;
}

/** Undefined on any failure; after a timeout the next visit tries again. */
async function fetchToken({ provider, report }: OptInOptions): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the push service did not respond')), TOKEN_TIMEOUT_MS);
  });
  try {
    return await Promise.race([registerWorker().then(provider.token), timeout]);
  } catch (error) {
    report('PUSH_TOKEN', error);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Registers the token upstream; the call times out after a second. */
async function registerDevice(
  { call, brand, pixallId, report }: OptInOptions,
  token: string,
): Promise<boolean> {
  try {
    const body = { brand, pixall_id: pixallId(), browser_token: token };
    return outcomeOfResponse(await call('registerDevice', {}, { body })) === 'sent';
  } catch (error) {
    report('DEVICE', error);
    return false;
  }
}

/** Removes the token here and upstream. */
async function clearToken({ call, report }: OptInOptions): Promise<void> {
  const token = storedToken();
  removeStored(STORAGE_KEYS.notificationToken);
  if (token === undefined) return;
  try {
    await call('forgetDevice', {}, { body: { browser_token: token } });
  } catch (error) {
    report('DEVICE', error);
  }
}

/** Stores the token once it is registered, so that `clearToken` can remove it later. */
async function registerBrowser(options: OptInOptions): Promise<'registered' | 'failed'> {
  const token = await fetchToken(options);
  if (token === undefined || !(await registerDevice(options, token))) return 'failed';
  writeStored(STORAGE_KEYS.notificationToken, token);
  return 'registered';
}

/** Turns notifications on: permission, token, device. */
export async function optIn(options: OptInOptions): Promise<OptInOutcome> {
  if (!hasPush()) return 'missing';
  removeStored(STORAGE_KEYS.notificationsOff);
  const permission = await requestPermission();
  if (permission === 'denied') await clearToken(options);
  return permission === 'granted' ? registerBrowser(options) : permission;
}

/** Is this browser registered for notifications? */
export const isRegistered = (): boolean => storedToken() !== undefined;

/** Turns notifications off in this browser; its permission stays, so that they can be turned on again. */
export async function optOut(options: OptInOptions): Promise<void> {
  writeStored(STORAGE_KEYS.notificationsOff, true);
  await clearToken(options);
}

const isTurnedOff = () =>
  readStored(STORAGE_KEYS.notificationsOff, (value) => (value === true ? value : undefined)) === true;

/**
 * Runs on every page: a withdrawn permission removes the token; a
 * permission from the prompt whose registration failed is registered now.
 */
export async function syncPermission(
  options: OptInOptions,
  permission: Permission,
  wasPrompted: boolean,
): Promise<void> {
  if (permission === 'denied') await clearToken(options);
  if (permission === 'granted' && wasPrompted && hasPush() && !isRegistered() && !isTurnedOff())
    await registerBrowser(options);
}
