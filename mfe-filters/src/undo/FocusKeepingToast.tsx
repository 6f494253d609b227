import { useRef, type ReactNode } from 'react';
import { Toast, type ToastContent } from '@forecourt/shared-contracts/ui';
import { focusResults } from '../search/focusResults.ts';

/** A toast whose buttons, when they go under the focus, hand it to the results. */
export function FocusKeepingToast(props: { toast: ToastContent | null; onGone: () => void }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place}>
      <Toast
        toast={props.toast}
        onGone={() => {
          if (place.current?.contains(document.activeElement)) focusResults();
          props.onGone();
        }}
      />
    </div>
  );
}
