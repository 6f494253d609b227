import type { CallDefinition, CallParams } from '@forecourt/shared-contracts/calls';
import { CallFailure } from './callFailure.ts';

/**
 * Fills `{name}` parts of a path from the parameters and leaves the rest as
 * query, with what the call always asks for. A part that would be another path ('', '.', '..') is refused as the
 * upstream would refuse what it cannot find.
 */
export function addressOf(
  call: string,
  definition: Pick<CallDefinition, 'path' | 'always'>,
  params: CallParams | URLSearchParams,
): string {
  const query = new URLSearchParams(params);
  const path = definition.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? '';
    query.delete(name);
    if (/^\.{0,2}$/.test(value))
      throw new CallFailure('REFUSED', call, `no ${name} is called '${value}'`, 404);
    return encodeURIComponent(value);
  });
  for (const [name, value] of Object.entries(definition.always ?? {})) query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
