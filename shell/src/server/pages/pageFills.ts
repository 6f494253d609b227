import type { PageFills } from '../compose/pageLog.ts';
import type { RequestContext } from '../http/requestContext.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { releaseId } from '../rendering/release.ts';
import type { PageDeps } from './pageDeps.ts';

/** Values of the placeholders in the response to one request. `snapshot` is that of the page. */
export function pageFills(
  { releases, failureClaims }: Pick<PageDeps, 'releases' | 'failureClaims'>,
  { nonce, requestId, visitor }: RequestContext,
  snapshot: Snapshot,
): PageFills {
  const live = releases.live();
  const compared = [...snapshot].filter(([remote, { id }]) => {
    const pointer = live.get(remote);
    // By id: an override of the same version is not compared.
    return pointer?.canary !== undefined && [pointer.live.id, pointer.canary.release.id].includes(id);
  });
  const ids = compared.map(([remote, { manifest }]) => releaseId(remote, manifest.version));
  const failureClaim = failureClaims.sign({ id: requestId, releases: ids }, visitor.id);
  return { nonce, requestId, failureClaim };
}
