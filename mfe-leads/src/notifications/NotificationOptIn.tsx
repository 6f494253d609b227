import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { browserStorage, usePageState } from '@forecourt/shared-contracts/store';
import { mayPrompt } from './conditions.ts';
import { NotificationPrompt } from './NotificationPrompt.tsx';
import { followPermission, optIn, type OptInParts } from './optIn.ts';
import { currentPermission, isIos } from './permission.ts';
import { createTokenProvider } from './tokenProvider.ts';

/** ms without another search: nobody is interrupted while searching. */
const CONSIDER_AFTER_MS = 1_000;
/** Name of the cookie with this browser's first-party id; the shell sets it. */
const PIXALL_COOKIE = 'pixallId';

const readCookie = (name: string): string =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** Shows the prompt when its conditions hold or somebody asks for it; either answer is remembered (A4-NOTIF-04, A4-NOTIF-05). */
export function NotificationOptIn(): ReactNode {
  const { call, emit, listen } = useSlotEnvironment();
  const criteria = usePageState(({ search }) => search.criteria);
  const brand = usePageState(({ session }) => session.brand);
  const firebase = usePageState(({ session }) => session.firebase);
  const [isShown, setIsShown] = useState(false);

  const parts = useMemo<OptInParts>(
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
    () => void followPermission(parts, currentPermission(), browserStorage.notificationPrompted.read()),
    [parts],
  );
  useEffect(() => listen('notification.requested', () => setIsShown(true)), [listen]);
  useEffect(
    () =>
      listen('listing.viewed', ({ listingId }) => {
        const others = browserStorage.recentInventory
          .read()
          .filter((recent) => recent.listingId !== listingId);
        browserStorage.recentInventory.write([{ listingId, viewedAt: Date.now() }, ...others]);
      }),
    [listen],
  );
  useEffect(() => {
    const consider = () => {
      // A browser that cannot be asked is not asked; on iOS the home screen comes first.
      const permission = currentPermission();
      if (permission === 'denied' || (permission === 'missing' && !isIos())) return;
      const wasPrompted = browserStorage.notificationPrompted.read();
      const recentInventory = browserStorage.recentInventory.read();
      if (mayPrompt({ wasPrompted, recentInventory, criteria, now: Date.now() })) setIsShown(true);
    };
    const timer = setTimeout(consider, CONSIDER_AFTER_MS);
    return () => clearTimeout(timer);
  }, [criteria]);

  const remember = useCallback(() => browserStorage.notificationPrompted.write(true), []);
  if (!isShown) return null;
  return (
    <NotificationPrompt
      onAccept={remember}
      optIn={() => optIn(parts)}
      onClose={() => {
        remember();
        setIsShown(false);
      }}
    />
  );
}
