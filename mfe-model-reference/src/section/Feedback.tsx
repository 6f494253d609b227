import { useEmit } from '@forecourt/slots';
import { storedFlag } from '@forecourt/slots/storage';
import { Button } from '@forecourt/slots/ui';
import { useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import styles from './Feedback.module.css';

const subscribeToNothing = () => () => {};

const KEY = 'modelReferenceFeedback';

/** Set once the question was answered in this session. Without storage, the question comes back. */
const isAnswered = storedFlag('session', KEY);

/** 'Was this information helpful?', once per session. */
export function Feedback(): ReactNode {
  const emit = useEmit();
  const wasAnswered = useSyncExternalStore(subscribeToNothing, isAnswered.read, () => false);
  const [isThanked, setThanked] = useState(false);
  const rootRef = useRef<HTMLDivElement>(null);
  if (wasAnswered && !isThanked) return null;
  const submit = (value: 'yes' | 'no') => {
    isAnswered.write(true);
    emit('page.tracked', { kind: 'click', name: 'modelReferenceFeedback', tile: value });
    setThanked(true);
    // The pressed button disappears: keep the focus position for the next Tab.
    rootRef.current?.focus();
  };
  return (
    <div ref={rootRef} tabIndex={-1} className={styles['feedback']} role="status">
      {isThanked ? (
        'Thank you for your feedback.'
      ) : (
        <>
          <span id={KEY}>Was this information helpful?</span>
          <span role="group" aria-labelledby={KEY} className={styles['answers']}>
            <Button onClick={() => submit('yes')}>Yes</Button>
            <Button onClick={() => submit('no')}>No</Button>
          </span>
        </>
      )}
    </div>
  );
}
