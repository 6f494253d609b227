import { useEffect, useId, useState, type ReactNode, useCallback, useMemo } from 'react';
import { BRANDS, type Brand } from '@forecourt/shared-contracts/brands';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState, browserStorage } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import styles from './NotificationPrompt.module.css';
import {
  type OptInOutcome,
  syncPermission,
  optIn,
  optOut,
  type OptInOptions,
  createTokenProvider,
  isRegistered,
} from './optIn.ts';
import { isIos, isOnHomeScreen, canPrompt, currentPermission, hasPush } from './browserPush.ts';

const TEXTS: Readonly<
  Record<Brand['notificationVariant'], { readonly heading: string; readonly text: string }>
> = {
  alert: {
    heading: 'Be the first to see price drops',
    text: 'We’ll let you know when the price of a vehicle saved in your account drops.',
  },
  'dream-car': {
    heading: 'Don’t miss your dream car',
    text: 'Save it in your account, and we’ll let you know when its price drops.',
  },
  'price-drop': {
    heading: 'Know when prices drop',
    text: 'We’ll let you know when the price of a vehicle saved in your account drops.',
  },
};

const OUTCOMES: Readonly<Record<OptInOutcome | 'off', string>> = {
  registered: 'You’re all set. You can turn notifications off on the page of your saved vehicles.',
  off: 'Notifications are off.',
  default: 'Nothing was changed. You can turn notifications on later with your saved vehicles.',
  denied: 'Your browser blocks notifications from this site. You can allow them in its settings.',
  missing: 'This browser doesn’t support notifications.',
  failed: 'Notifications are allowed, but we couldn’t turn them on. We’ll try again on your next visit.',
};

/**
 * Opt-in to browser notifications (A1-NOTIF-01). It is not modal, because the
 * shopper did not ask for it. On iOS the page has to be on the home screen
 * first (A4-NOTIF-09, A2-UI-12).
 */
function NotificationPrompt(props: {
  /** Called on acceptance, also when iOS has to add the page to the home screen first. */
  onAccept: () => void;
  optIn: () => Promise<OptInOutcome>;
  optOut: () => Promise<void>;
  onClose: () => void;
}): ReactNode {
  const { onAccept, optIn, optOut, onClose } = props;
  const { emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const variant = BRANDS[brand].notificationVariant;
  const [step, setStep] = useState<'ask' | 'isOn' | 'requesting' | 'homeScreen' | 'off' | OptInOutcome>(() =>
    isRegistered() ? 'isOn' : 'ask',
  );
  const headingId = useId();
  const { heading, text } = TEXTS[variant];

  // Announced once; the focus stays where the shopper is.
  useEffect(() => emit('page.announced', { message: heading }), [emit, heading]);

  const accept = async () => {
    if (step !== 'ask') return;
    onAccept();
    if (isIos() && !isOnHomeScreen()) return setStep('homeScreen');
    setStep('requesting');
    setStep(await optIn());
  };
  const turnOff = async () => {
    await optOut();
    setStep('off');
  };
  const isDone = step !== 'ask' && step !== 'isOn' && step !== 'requesting';
  return (
    // Not modal, so Escape needs its own handler.
    <dialog
      open
      aria-labelledby={headingId}
      className={styles['prompt']}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <PromptPicture variant={variant} className={styles['picture']} />
      <div className={styles['text']}>
        <h2 id={headingId} className={styles['heading']}>
          {step === 'homeScreen' ? 'Add this page to your home screen' : heading}
        </h2>
        {step === 'homeScreen' ? (
          <ol className={styles['steps']}>
            <li>Tap Share in your browser’s bar.</li>
            <li>Choose “Add to Home Screen”.</li>
            <li>Open this page from there and turn notifications on.</li>
          </ol>
        ) : (
          <p role="status">
            {isDone ? OUTCOMES[step] : step === 'isOn' ? 'Notifications are on in this browser.' : text}
          </p>
        )}
        <p className={styles['actions']}>
          {step === 'isOn' ? (
            <Button onClick={() => void turnOff()}>Turn off</Button>
          ) : isDone ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <>
              <Button look="primary" aria-disabled={step === 'requesting'} onClick={() => void accept()}>
                {step === 'requesting' ? 'One moment…' : 'Notify me'}
              </Button>
              <Button look="quiet" onClick={onClose}>
                Not now
              </Button>
            </>
          )}
        </p>
      </div>
      <button type="button" className={styles['close']} aria-label="Close" onClick={onClose}>
        <Icon name="close" />
      </button>
    </dialog>
  );
}

const PICTURES: Readonly<
  Record<Brand['notificationVariant'], { readonly label: string; readonly paths: readonly string[] }>
> = {
  alert: {
    label: 'A bell',
    paths: [
      'M48 18c-12 0-20 9-20 21v13l-7 10h54l-7-10V39c0-12-8-21-20-21z',
      'M41 68a7 7 0 0 0 14 0M48 12v6',
      'M74 24a26 26 0 0 1 6 16M22 24a26 26 0 0 0-6 16',
    ],
  },
  'dream-car': {
    label: 'A car with a star above it',
    paths: [
      'M14 62v-9c0-4 3-7 7-7l8-2 11-11h20l12 11 6 2c4 1 6 4 6 8v8h-9M30 62h36M14 62h2',
      'M31 62a7.500 7.500 0 1 1-15 0 7.500 7.500 0 0 1 15 0zM80 62a7.500 7.500 0 1 1-15 0 7.500 7.500 0 0 1 15 0zM34 44h32M49 33v11',
      'M50 8l2.500 5 5.500.8-4 3.900 1 5.500-5-2.600-5 2.600 1-5.500-4-3.900 5.500-.8z',
    ],
  },
  'price-drop': {
    label: 'A price tag with an arrow down',
    paths: ['M16 40V18h22l34 34-22 22z', 'M29 31a3 3 0 1 1-6 0 3 3 0 0 1 6 0z', 'M76 14v24M67 30l9 9 9-9'],
  },
};

/** Illustration of the variant (A4-NOTIF-10). */
function PromptPicture({
  variant,
  className,
}: {
  variant: Brand['notificationVariant'];
  className?: string | undefined;
}): ReactNode {
  const { label, paths } = PICTURES[variant];
  return (
    <svg className={className} viewBox="0 0 96 84" role="img" aria-label={label} data-variant={variant}>
      {paths.map((path) => (
        <path
          key={path}
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  );
}

/** ms without another search, so that the prompt does not interrupt a search. */
const PROMPT_DELAY_MS = 1_000;
/** Cookie with this browser's first-party id; the shell sets it. */
const PIXALL_COOKIE = 'pixallId';

const readCookie = (name: string): string =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** Shows the prompt on request or when its conditions hold, and remembers either response (A4-NOTIF-04, A4-NOTIF-05). */
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
    () => void syncPermission(options, currentPermission(), browserStorage.notificationPrompted.read()),
    [options],
  );
  useEffect(() => listen('notification.requested', () => setIsShown(true)), [listen]);
  useEffect(
    () =>
      listen('listing.viewed', ({ listingId }) => {
        const otherVehicles = browserStorage.recentInventory
          .read()
          .filter((recent) => recent.listingId !== listingId);
        browserStorage.recentInventory.write([{ listingId, viewedAt: Date.now() }, ...otherVehicles]);
      }),
    [listen],
  );
  useEffect(() => {
    const promptIfAllowed = () => {
      // iOS without the API still prompts: it explains how to add the page to the home screen.
      const permission = currentPermission();
      if (permission === 'denied' || ((permission === 'missing' || !hasPush()) && !isIos())) return;
      const wasPrompted = browserStorage.notificationPrompted.read();
      const recentInventory = browserStorage.recentInventory.read();
      if (canPrompt({ wasPrompted, recentInventory, criteria, now: Date.now() })) setIsShown(true);
    };
    const timer = setTimeout(promptIfAllowed, PROMPT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [criteria]);

  const remember = useCallback(() => browserStorage.notificationPrompted.write(true), []);
  if (!isShown) return null;
  return (
    <NotificationPrompt
      onAccept={remember}
      optIn={() => optIn(options)}
      optOut={() => optOut(options)}
      onClose={() => {
        remember();
        setIsShown(false);
      }}
    />
  );
}
