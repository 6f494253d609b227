import { lazy, Suspense, useEffect, useState, type ReactNode, useCallback, useMemo } from 'react';
import { notificationPromptStorage, recentListingsStorage } from '@forecourt/search/storage';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { syncPermission, optIn, optOut, type OptInOptions, createTokenProvider } from './optIn.ts';
import { isIos, canPrompt, currentPermission, hasPush } from './browserPush.ts';

/** Few visits show it. Optional: a failure to load it is not retried. */
const NotificationPrompt = lazy(() =>
  import('./NotificationPrompt.tsx').then(
    (module) => ({ default: module.NotificationPrompt }),
    () => ({ default: () => null }),
  ),
);

/** ms without another search, so that the prompt does not interrupt a search. */
const PROMPT_DELAY_MS = 1_000;

/** Cookie with this browser's first-party id; the shell sets it. */
const PIXALL_COOKIE = 'pixallId';

const readCookie = (name: string): string =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** Shows the prompt on request or when its conditions hold, and remembers either response. */
export function NotificationOptIn(): ReactNode {
  const { call, emit, listen } = useSlotEnvironment();
  const criteria = usePageState(({ search }) => search.criteria);
  const brand = usePageState(({ session }) => session.brand);
  const firebase = usePageState(({ session }) => session.firebase);
  const [isShown, setIsShown] = useState(false);

  const options = useMemo<OptInOptions>(
    () => ({
      call,
      provider: createTokenProvider(call, firebase),
      brand,
      pixallId: () => readCookie(PIXALL_COOKIE),
      report: (code, error) => emit('problem.reported', { code, message: String(error) }),
    }),
    [call, emit, brand, firebase],
  );

  useEffect(
    () => void syncPermission(options, currentPermission(), notificationPromptStorage.read()),
    [options],
  );
  useEffect(() => listen('notification.requested', () => setIsShown(true)), [listen]);
  useEffect(
    () =>
      listen('listing.viewed', ({ listingId }) => {
        const otherVehicles = recentListingsStorage.read().filter((recent) => recent.listingId !== listingId);
        recentListingsStorage.write([{ listingId, viewedAt: Date.now() }, ...otherVehicles]);
      }),
    [listen],
  );
  useEffect(() => {
    const promptIfAllowed = () => {
      // iOS without the API still prompts: it explains how to add the page to the home screen.
      const permission = currentPermission();
      if (permission === 'denied' || ((permission === 'missing' || !hasPush()) && !isIos())) return;
      const wasPrompted = notificationPromptStorage.read();
      const recentInventory = recentListingsStorage.read();
      if (canPrompt({ wasPrompted, recentInventory, criteria, now: Date.now() })) setIsShown(true);
    };
    const timer = setTimeout(promptIfAllowed, PROMPT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [criteria]);

  const remember = useCallback(() => notificationPromptStorage.write(true), []);
  if (!isShown) return null;
  return (
    <Suspense fallback={null}>
      <NotificationPrompt
        onAccept={remember}
        optIn={() => optIn(options)}
        optOut={() => optOut(options)}
        onClose={() => {
          remember();
          setIsShown(false);
        }}
      />
    </Suspense>
  );
}
