import { useState, useSyncExternalStore, type ReactNode } from 'react';
import type { AppStore } from '@forecourt/shared-contracts/store';

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

const entriesOf = (value: object) => Object.entries(value) as [string, unknown][];

function summaryOf(value: object): string {
  if (Array.isArray(value)) return `${value.length} entries`;
  const keys = Object.keys(value);
  return keys.length === 0 ? 'empty' : keys.slice(0, 4).join(', ') + (keys.length > 4 ? ', …' : '');
}

/** One branch; what is below it is made when it is opened. */
function Branch({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!isBranch(value))
    return (
      <div className="leaf">
        <b>{name}</b> {JSON.stringify(value) ?? 'undefined'}
      </div>
    );
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b>{name}</b> <span className="quiet">{summaryOf(value)}</span>
      </summary>
      {isOpen && entriesOf(value).map(([key, inner]) => <Branch key={key} name={key} value={inner} />)}
    </details>
  );
}

/** The page's state as it is now. */
export function StoreTab({ store }: { readonly store: AppStore }): ReactNode {
  const state = useSyncExternalStore(
    (changed) => store.subscribe(changed),
    () => store.getState(),
  );
  return (
    <div className="tree">
      {entriesOf(state).map(([slice, parts]) =>
        entriesOf(parts as object).map(([name, value]) => (
          <Branch key={`${slice}.${name}`} name={`${slice}.${name}`} value={value} />
        )),
      )}
    </div>
  );
}
