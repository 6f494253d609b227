import type { CallParams } from '@forecourt/slots/calls';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import { CallFailure } from './callFailure.ts';

/**
 * Fills the `{name}` parts of a path from the parameters; the others and the
 * call's constant ones become the query. Values that would change the path
 * ('', '.', '..') are refused with status 404, like an unknown id.
 */
export function callUrl(
  call: string,
  { path, always = {}, caller, method }: CallDefinition,
  params: CallParams | URLSearchParams,
  consumerId: string | undefined,
): string {
  const query = new URLSearchParams(params);
  // The consumer comes from the request, never from `params` (AMB-178, AMB-181).
  if (caller === 'visitor' && method === 'GET') {
    query.delete('consumerId');
    if (consumerId) query.set('consumerId', consumerId);
  }
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? '';
    query.delete(name);
    if (/^\.{0,2}$/.test(value)) throw new CallFailure('REFUSED', call, `invalid ${name} '${value}'`, 404);
    return encodeURIComponent(value);
  });
  for (const [name, value] of Object.entries(always)) query.set(name, value);
  return query.size > 0 ? `${filledPath}?${query.toString()}` : filledPath;
}
