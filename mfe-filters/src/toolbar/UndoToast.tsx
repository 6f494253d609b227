import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { selectCriteria } from '@forecourt/search/state';
import { useSlotEnvironment, usePageState } from '@forecourt/slots';
import { usePanelData } from '../search/panelData.tsx';
import { useEdit } from '../search/searchEdits.tsx';
import { undoLabel, undoMessage } from '../search/criteriaChanges.ts';
import { FocusKeepingToast } from '../search/FocusKeepingToast.tsx';

interface Undoable {
  readonly key: string;
  readonly message: string;
  readonly label: string;
  readonly before: SearchCriteria;
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select');

/** Offers to undo the last change that removed filters, with a button or Ctrl+Z outside of text fields. */
export function UndoToast(): ReactNode {
  const { listen } = useSlotEnvironment();
  const edit = useEdit();
  const { labelOf } = usePanelData();
  const criteria = usePageState(selectCriteria);
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  /** Criteria before the next change. */
  const last = useRef(criteria);
  const labels = useRef(labelOf);
  const count = useRef(0);
  useEffect(() => {
    last.current = criteria;
    labels.current = labelOf;
  });
  useEffect(
    () =>
      listen('search.changeRequested', ({ criteria: after, cause }) => {
        const before = last.current;
        last.current = after;
        count.current += 1;
        const message = undoMessage(before, after, cause, labels.current);
        setUndoable(
          message === undefined
            ? null
            : { key: String(count.current), message, label: undoLabel(before, after), before },
        );
      }),
    [listen],
  );
  useEffect(() => {
    if (!undoable) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || isTextField(event.target)) return;
      event.preventDefault();
      setUndoable(null);
      edit(() => undoable.before, 'undo');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [undoable, edit]);
  return (
    <FocusKeepingToast
      toast={
        undoable && {
          key: undoable.key,
          message: undoable.message,
          action: { label: undoable.label, onUse: () => edit(() => undoable.before, 'undo') },
        }
      }
      onGone={() => setUndoable(null)}
    />
  );
}
