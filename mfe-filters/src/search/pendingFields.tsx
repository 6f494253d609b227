import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';

/** Commits the text of a field. Returns false, and focuses the field, when the text is invalid. */
export type CommitField = () => boolean | Promise<boolean>;

interface PendingFields {
  readonly add: (commit: CommitField) => () => void;
  /** Commits one field after the other; stops at the first invalid one. */
  readonly commitAll: () => Promise<boolean>;
}

function createPendingFields(): PendingFields {
  const fields = new Set<CommitField>();
  return {
    add(commit) {
      fields.add(commit);
      return () => fields.delete(commit);
    },
    async commitAll() {
      for (const commit of fields) if (!(await commit())) return false;
      return true;
    },
  };
}

const PendingFieldsContext = createContext<PendingFields | null>(null);

/** For the button that applies a draft: text is otherwise committed on blur, which may need a lookup. */
export const usePendingFields = (): PendingFields => useState(createPendingFields)[0];

export function PendingFieldsProvider(props: { fields: PendingFields; children: ReactNode }): ReactNode {
  return <PendingFieldsContext value={props.fields}>{props.children}</PendingFieldsContext>;
}

/** Commits the field before its draft is applied. No-op outside of a draft. */
export function usePendingField(commit: CommitField): void {
  const fields = useContext(PendingFieldsContext);
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  useEffect(() => fields?.add(() => latest.current()), [fields]);
}
