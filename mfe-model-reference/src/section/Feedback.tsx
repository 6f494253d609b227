import { useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { storedFlag } from '@forecourt/shared-contracts/store';
import { Button } from '@forecourt/shared-contracts/ui';
import styles from './Feedback.module.css';

const KEY = 'modelReferenceFeedback';

/** The question was answered in this session; where storage is blocked it is asked again. */
const answered = storedFlag('session', KEY);

const subscribeToNothing = () => () => {};

/** 'Was this information helpful?', once a session (B4-FEEDBACK-01, AMB-124). */
export function Feedback(): ReactNode {
  const emit = useEmit();
  const wasAsked = useSyncExternalStore(subscribeToNothing, answered.read, () => false);
  const [isThanked, setThanked] = useState(false);
  const placeRef = useRef<HTMLDivElement>(null);
  if (wasAsked && !isThanked) return null;
  const answer = (value: 'yes' | 'no') => {
    answered.write(true);
    emit('page.tracked', { kind: 'click', name: 'modelReferenceFeedback', tile: value });
    setThanked(true);
    // The pressed button is about to go: the next Tab starts from its place.
    placeRef.current?.focus();
  };
  return (
    <div ref={placeRef} tabIndex={-1} className={styles['feedback']} role="status">
      {isThanked ? (
        'Thank you for your feedback.'
      ) : (
        <>
          <span id={KEY}>Was this information helpful?</span>
          <span role="group" aria-labelledby={KEY} className={styles['answers']}>
            <Button onClick={() => answer('yes')}>Yes</Button>
            <Button onClick={() => answer('no')}>No</Button>
          </span>
        </>
      )}
    </div>
  );
}
