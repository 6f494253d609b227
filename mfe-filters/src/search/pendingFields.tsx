import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';

/** Takes over what stands in a field; false when it is refused: then the field has the focus. */
export type SettleField = () => boolean | Promise<boolean>;

interface PendingFields {
  readonly add: (settle: SettleField) => () => void;
  /** Settles one field after the other, up to the first that refuses what was typed. */
  readonly settle: () => Promise<boolean>;
}

function createPendingFields(): PendingFields {
  const fields = new Set<SettleField>();
  return {
    add(settle) {
      fields.add(settle);
      return () => fields.delete(settle);
    },
    async settle() {
      for (const settle of fields) if (!(await settle())) return false;
      return true;
    },
  };
}

const PendingFieldsContext = createContext<PendingFields | null>(null);

/** For a button that ends a draft: a typed text is committed by leaving its field, which may take a look-up. */
export const usePendingFields = (): PendingFields => useState(createPendingFields)[0];

export function PendingFieldsProvider(props: { fields: PendingFields; children: ReactNode }): ReactNode {
  return <PendingFieldsContext value={props.fields}>{props.children}</PendingFieldsContext>;
}

/** Has a field settled before its draft ends; without effect where each change is a search. */
export function usePendingField(settle: SettleField): void {
  const fields = useContext(PendingFieldsContext);
  const latest = useRef(settle);
  useEffect(() => {
    latest.current = settle;
  });
  useEffect(() => fields?.add(() => latest.current()), [fields]);
}
