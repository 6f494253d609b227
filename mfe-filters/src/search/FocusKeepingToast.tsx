import { type ReactNode, useRef } from 'react';
import { Toast, type ToastContent } from '@forecourt/slots/ui';
import { focusResults } from './focusResults.ts';

/** A toast that moves the focus to the results when it closes while one of its buttons is focused. */
export function FocusKeepingToast(props: { toast: ToastContent | null; onGone: () => void }): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  return (
    <div ref={ref}>
      <Toast
        toast={props.toast}
        onGone={() => {
          if (ref.current?.contains(document.activeElement)) focusResults();
          props.onGone();
        }}
      />
    </div>
  );
}
