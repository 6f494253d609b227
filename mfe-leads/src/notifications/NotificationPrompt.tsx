import { useEffect, useId, useState, type ReactNode } from 'react';
import { BRANDS, type Brand } from '@forecourt/shared-contracts/brands';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import styles from './NotificationPrompt.module.css';
import { type OptInOutcome } from './optIn.ts';
import { isIos, isOnHomeScreen } from './permission.ts';
import { PromptPicture } from './PromptPicture.tsx';

const WORDS: Readonly<
  Record<Brand['notificationVariant'], { readonly heading: string; readonly text: string }>
> = {
  alert: { heading: 'Hear of new matches first', text: 'We tell you when a car like these is listed.' },
  'dream-car': {
    heading: 'Do not miss your dream car',
    text: 'We tell you the moment it is for sale near you.',
  },
  'price-drop': {
    heading: 'Know when prices drop',
    text: 'We tell you when a car that you looked at gets cheaper.',
  },
};

const OUTCOMES: Readonly<Record<OptInOutcome, string>> = {
  registered: 'You will hear from us. You can change that in your browser at any time.',
  default: 'Nothing was changed. You can turn notifications on later in your browser.',
  denied: 'Your browser blocks notifications of this site. You can allow them in its settings.',
  missing: 'This browser has no notifications.',
  failed:
    'Notifications are allowed, but we could not sign up this browser. We try again on your next visit.',
};

/**
 * The opt-in to browser notifications (A1-NOTIF-01): a dialog beside the page,
 * not over it, since nobody asked for it. On iOS notifications need a page on
 * the home screen first (A4-NOTIF-09, A2-UI-12).
 */
export function NotificationPrompt(props: {
  /** Hears of the yes, also where only the home screen's page can carry it out. */
  onAccept: () => void;
  optIn: () => Promise<OptInOutcome>;
  onClose: () => void;
}): ReactNode {
  const { onAccept, optIn, onClose } = props;
  const { emit } = useSlotEnvironment();
  const brand = usePageState(({ session }) => session.brand);
  const variant = BRANDS[brand].notificationVariant;
  const [step, setStep] = useState<'ask' | 'asking' | 'homeScreen' | OptInOutcome>('ask');
  const headingId = useId();
  const { heading, text } = WORDS[variant];

  // Said once for screen readers; the focus stays where the shopper is.
  useEffect(() => emit('page.announced', { message: heading }), [emit, heading]);

  const accept = async () => {
    if (step !== 'ask') return;
    onAccept();
    if (isIos() && !isOnHomeScreen()) return setStep('homeScreen');
    setStep('asking');
    setStep(await optIn());
  };
  const isDone = step !== 'ask' && step !== 'asking';
  return (
    // Not modal: Escape is the keyboard's short way to its Close button.
    <dialog
      open
      aria-labelledby={headingId}
      className={styles['prompt']}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <PromptPicture variant={variant} className={styles['picture']} />
      <div className={styles['words']}>
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
          <p role="status">{isDone ? OUTCOMES[step] : text}</p>
        )}
        <p className={styles['actions']}>
          {isDone ? (
            <Button onClick={onClose}>Done</Button>
          ) : (
            <>
              <Button look="primary" aria-disabled={step === 'asking'} onClick={() => void accept()}>
                {step === 'asking' ? 'One moment…' : 'Notify me'}
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
