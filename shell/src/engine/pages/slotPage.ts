import type { Request } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import { z } from 'zod';
import type { SlotModule } from '@forecourt/slots';
import type { SlotOutcome } from '../compose/renderSlots.ts';
import { referrerOf } from '../http/requestContext.ts';
import type { PageState } from '../pageState.ts';
import type { Site } from '../site.ts';
import type { PageDescription, PageKind } from './pageKind.ts';

/**
 * Path and query on this origin. Browsers read '//' and '/\' as the start of
 * another host and drop control characters.
 */
const sameOriginPath = z
  .string()
  .max(8000)
  .regex(/^\/(?![/\\])[^\p{Cc}\s\\]*$/u, 'must be a path of this origin');

/** A main slot's decision about its page; validated because remote code returns it. */
const pageDecisionSchema: z.ZodType<NonNullable<ReturnType<NonNullable<SlotModule['page']>>>> = z.union([
  z.object({ redirect: sameOriginPath, status: z.literal([301, 302]) }),
  z.object({
    title: z.string().max(1000),
    description: z.string().max(5000),
    canonical: sameOriginPath,
    isIndexed: z.boolean(),
    heroImage: z.string().max(2000).optional(),
    shareImage: sameOriginPath.optional(),
    returnPath: sameOriginPath.optional(),
    status: z.literal([200, 404, 410, 503]).optional(),
  }),
]);

interface SlotPageDescription extends PageDescription {
  readonly page: PageState['page'];
  /** Path and query to return to after signing in. */
  readonly currentUrl: string;
}

export interface SlotPageOptions {
  /** Path and query to return to after signing in; defaults to the request's own. */
  readonly currentUrl?: string;
  readonly onShown?: PageKind['onShown'];
}

/**
 * A page whose content is its main slot, which has the name of the page kind: it is rendered first, and decides about head,
 * redirect and status. If it fails, the response is the site's message that the page is unavailable.
 */
export function slotPage(
  { site, logger }: { readonly site: Site; readonly logger: Pick<Logger, 'error'> },
  kind: string,
  { currentUrl, onShown }: SlotPageOptions = {},
): PageKind<SlotPageDescription> {
  /** The decision of the main slot; undefined if the slot failed or its decision is invalid. */
  function decisionOf({ rendered }: SlotOutcome, requestId: string) {
    if (!rendered) return undefined;
    const decision = pageDecisionSchema.safeParse(rendered.page);
    if (decision.success) return decision.data;
    const reason = decision.error.message;
    logger.error({ slot: kind, requestId, reason }, 'the main slot returned no valid page');
    return undefined;
  }

  return {
    name: kind,
    onShown,
    describe: (request: Request, _response, url) => ({
      kind: 'page',
      url,
      page: { kind, url, referrer: referrerOf(request) } as PageState['page'],
      currentUrl: currentUrl ?? url,
    }),
    async load({ description, visitor }, { layout, renderSlot, callContext }) {
      const state = site.emptyState(description.page, visitor, description.currentUrl);
      const placement = layout.find(({ slot }) => slot === kind);
      if (!placement) throw new Error(`the layout ${kind} has no main slot`);
      const mainSlot = await renderSlot(placement, state);
      const decision = decisionOf(mainSlot, callContext.requestId);
      if (!decision) return { kind: 'message', status: 500, page: site.messages.unavailable };
      // Never cached: what is gone today may be back tomorrow.
      if ('redirect' in decision)
        return {
          kind: 'redirect',
          status: decision.status,
          location: decision.redirect,
          cacheControl: 'no-store',
        };
      return {
        kind: 'loaded',
        state,
        completeness: mainSlot.completeness,
        mainSlot,
        head: { ...decision, title: site.titleOf(decision.title, visitor.session) },
        status: decision.status,
        currentUrl: decision.returnPath ?? description.currentUrl,
      };
    },
  };
}
