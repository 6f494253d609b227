import type { PageView } from '../../both/bootData.ts';
import type { RequestContext } from '../http/requestContext.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { releaseId } from '../rendering/release.ts';
import type { PageDeps } from './pageDeps.ts';

/** The search that the server has rendered. Not the id of the request, which differs between responses with one page. */
export const FIRST_SEARCH = 'first';

/** What the response to one request tells its page. `snapshot` is that of the page. */
export function pageViewOf(
  { releases, failureClaims }: Pick<PageDeps, 'releases' | 'failureClaims'>,
  { requestId, visitor }: Pick<RequestContext, 'requestId' | 'visitor'>,
  snapshot: Snapshot,
): PageView {
  const live = releases.live();
  const compared = [...snapshot].filter(([remote, { id }]) => {
    const pointer = live.get(remote);
    // By id: an override of the same version is not compared.
    return pointer?.canary !== undefined && [pointer.live.id, pointer.canary.release.id].includes(id);
  });
  const ids = compared.map(([remote, { manifest }]) => releaseId(remote, manifest.version));
  return { requestId, failureClaim: failureClaims.sign({ id: requestId, releases: ids }, visitor.id) };
}
