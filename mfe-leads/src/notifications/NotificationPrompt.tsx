import { useEffect, useId, useState, type ReactNode } from 'react';
import { BRANDS, type Brand } from '@forecourt/search/brands';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { Button, Icon } from '@forecourt/slots/ui';
import styles from './NotificationPrompt.module.css';
import { type OptInOutcome, isRegistered } from './optIn.ts';
import { isIos, isOnHomeScreen } from './browserPush.ts';
import { PromptPicture } from './PromptPicture.tsx';

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
 * Opt-in to browser notifications. It is not modal, because the
 * shopper did not ask for it. On iOS the page has to be on the home screen
 * first.
 */
export function NotificationPrompt(props: {
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
