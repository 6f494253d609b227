import type { ReactNode } from 'react';
import type { filterPairs } from '@forecourt/shared-contracts/url';

/** What a GET form says beside its visible controls. */
export function HiddenFields({ fields }: { fields: ReturnType<typeof filterPairs> }): ReactNode {
  return fields.map(([name, value]) => (
    <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
  ));
}
