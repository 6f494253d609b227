import type { ReactNode } from 'react';
import type { Pairs } from '@forecourt/shared-contracts/url';

/** What a GET form says beside its visible controls. */
export function HiddenFields({ fields }: { fields: Pairs }): ReactNode {
  return fields.map(([name, value]) => (
    <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
  ));
}
