import { shareKeyOf } from './shareKey.ts';
import type { Logger } from '@forecourt/service-kit/log';
import type { SearchCriteria } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import type { LoadedState } from '../../engine/compose/composePage.ts';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import type { CallContext, Gateway } from '../../engine/gateway/gateway.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import type { Reporter } from '../../engine/operations/reporter.ts';
import { worstOf } from '../../engine/compose/completeness.ts';
import type { PageCalls } from '../../engine/pages/pageCalls.ts';
import type { Ending, PageDescription, PageKind, PageRequest, HeadFields } from '../../engine/index.ts';
import { notFoundPage, searchErrorPage } from '../frame/messagePages.ts';
import {
  type AccountState,
  loadAccountState,
  NO_ACCOUNT,
  resolveBookmark,
  signInForBookmark,
} from '../saved/savedState.ts';
import { robotsOf, shareImageOf, structuredDataOf } from '../seo/structuredData.ts';
import { campaignCookie, pixallCookie } from '../visitor/cookies.ts';
import { visitorOf, type Visitor } from '../visitor/visitor.ts';
import { campaignChannelOf } from '../visitor/campaignChannels.ts';
import { startAdjustedSearch } from './adjustSearch.ts';
import type { LoadedSearch, StartedSearch } from './loadSearch.ts';
import { LATE_MS, within } from './optionalParts.ts';
import { emptyResults, PageStatusError, type SearchLoader } from './searchRequest.ts';
import { createUrlParser } from '../urls/slugReference.ts';
import { searchUrlIn } from './searchApi.ts';
import { SLOTS_PATH } from './universal/slotsPath.ts';

/** The search that the server has rendered. Not the id of the request, which differs between responses with one page. */
export const FIRST_SEARCH = 'first';

const PAGE_CACHING = 'private, no-cache';

/** What the URL of a results page asks for. */
interface ResultsDescription extends PageDescription {
  readonly criteria: SearchCriteria;
  /** Message above the results. */
  readonly notice: string | null;
  readonly visitor: Visitor;
  /** Of the campaign that brought the visitor. */
  readonly channel: string | undefined;
}

interface ResultsPageDeps {
  readonly gateway: Pick<Gateway, 'call' | 'request'>;
  readonly loader: SearchLoader;
  readonly logger: Pick<Logger, 'warn'>;
  readonly report: Reporter;
}

const message = (
  status: number,
  page: Extract<Ending, { kind: 'message' }>['page'],
  isBot = false,
): Ending => ({
  kind: 'message',
  status,
  page,
  robots: isBot ? 'noindex' : undefined,
  cacheControl: PAGE_CACHING,
});

/** The error screen has status 500, or 200 for bots. */
const failure = (isBot: boolean): Ending => message(isBot ? 200 : 500, searchErrorPage, isBot);

/**
 * `GET /cars-for-sale/…`: parse → 301 to the normalized URL → bookmark → search. Only the required listing call can fail the
 * page. An error status from the upstream applies to everyone. `GET /cars-for-sale/api/slots?url=…` sends the slots of that
 * URL's page, without a redirect.
 */
export function resultsPage({
  gateway,
  loader,
  logger,
  report,
}: ResultsPageDeps): PageKind<ResultsDescription> {
  const parseFor = createUrlParser(loader.reference);

  function notFound(reason: string, { requestId, isBot }: { requestId: string; isBot: boolean }): Ending {
    if (reason !== 'referenceMissing') return message(404, notFoundPage);
    // Until the makes are loaded, an unknown make cannot be told from a missing one.
    report({ code: 'SEARCH_FAILED', message: 'the makes are not loaded yet', requestId });
    return failure(isBot);
  }

  return {
    name: 'results',
    async describe(request, response, url) {
      const { callContext, requestId } = contextOf(request);
      const visitor = visitorOf(request);
      const { session } = visitor;
      const parse = (one: string) => parseFor(one, session);
      const part = request.path === SLOTS_PATH ? 'slots' : undefined;
      const requested = part ? searchUrlIn(request) : url;
      if (requested === undefined) return message(400, notFoundPage);
      let parsed = parse(requested);
      // The path may name a make that was imported since.
      if (
        parsed.kind === 'notFound' &&
        parsed.reason === 'unknownSegment' &&
        (await loader.reference.renew?.())
      )
        parsed = parse(requested);
      if (parsed.kind === 'notFound') return notFound(parsed.reason, { requestId, isBot: session.isBot });
      const campaign = campaignChannelOf(parsed.criteria);
      if (campaign) response.append('Set-Cookie', campaignCookie(campaign, { secure: request.secure }));
      // Shared caches store a 301 by default; this response's cookies belong to one visitor.
      if (parsed.needsRedirect && !part)
        return parsed.dependsOnVisitor
          ? { kind: 'redirect', status: 302, location: parsed.canonicalUrl, cacheControl: 'no-store' }
          : { kind: 'redirect', status: 301, location: parsed.canonicalUrl, cacheControl: 'private' };

      const signIn = signInForBookmark(parsed, session);
      if (signIn) return { kind: 'redirect', status: 302, location: signIn, cacheControl: 'no-store' };
      const search = await resolveBookmark(gateway, parsed, callContext, parse);
      // Temporary: the search behind a bookmark may change.
      if (search.redirect !== undefined) return { kind: 'redirect', status: 302, location: search.redirect };
      const { criteria, notice } = search;
      if (notice) logger.warn({ requestId, code: 'BOOKMARK_NOT_FOUND' }, notice);
      const channel = campaign ?? visitor.channel;
      return {
        kind: 'page',
        url: search.url,
        part,
        view: criteria.view,
        shareKey: notice === null ? shareKeyOf(visitor, channel) : undefined,
        criteria,
        notice,
        visitor,
        channel,
      };
    },

    async load(page, { calls, callContext }) {
      const { visitor } = page.description;
      const account = loadAccountState(calls, visitor.session, callContext);
      const started = await start(page, { ...loader, gateway: calls }, { account, callContext, report });
      if ('kind' in started) return started;
      const { first, complete } = started;
      const stateOf = ({ search, account: saved, completeness }: LoadedSearch): LoadedState => ({
        state: stateWith(page.description, search, saved),
        completeness: worstOf(completeness, callsCompleteness(calls, loader)),
      });
      const { state, completeness } = stateOf(first);
      return {
        kind: 'loaded',
        state,
        completeness,
        complete: complete.then(stateOf),
        head: headOf(state.search),
        robots: robotsOf(state.search),
        structuredData: structuredDataOf(state.search, page.origin),
        currentUrl: state.search.url,
      };
    },

    setHeaders(request, response) {
      const { pixallId, needsPixallId } = visitorOf(request);
      if (pixallId && needsPixallId)
        response.append('Set-Cookie', pixallCookie(pixallId, { secure: request.secure }));
    },
  };
}

/** Without the makes, links and breadcrumbs lack names. */
const callsCompleteness = ({ completeness }: PageCalls, { reference }: SearchLoader) =>
  reference.current().isEmpty ? worstOf(completeness, 'late') : completeness;

/** Starts the search of a page; an Ending if its required call failed. */
async function start(
  { description, isShared }: PageRequest<ResultsDescription>,
  loader: SearchLoader,
  {
    account,
    callContext,
    report,
  }: {
    readonly account: Promise<AccountState>;
    readonly callContext: CallContext;
    readonly report: Reporter;
  },
): Promise<StartedSearch | Ending> {
  const { criteria, url, channel, visitor } = description;
  const { session } = visitor;
  // Shared pages are requested without the visitor's id.
  const pixallId = isShared ? undefined : visitor.pixallId;
  try {
    const started = await startAdjustedSearch(loader, {
      criteria,
      session,
      channel,
      pixallId,
      account,
      context: callContext,
      report,
    });
    const { vehiclePath } = started;
    // Temporary: the vehicle will be sold.
    return vehiclePath === undefined
      ? started
      : { kind: 'redirect', status: 302, location: vehiclePath, cacheControl: 'no-store' };
  } catch (error) {
    if (error instanceof PageStatusError) return message(error.status, searchErrorPage);
    if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
    if (error.upstreamCode === 'INVALID_PARAMETERS') {
      const loaded: LoadedSearch = {
        search: emptyResults(criteria, url, FIRST_SEARCH),
        account: await within(LATE_MS, account, NO_ACCOUNT),
        completeness: 'full',
      };
      return { first: loaded, complete: Promise.resolve(loaded) };
    }
    report({ code: 'SEARCH_FAILED', message: error.message, requestId: callContext.requestId });
    return failure(session.isBot);
  }
}

function stateWith(
  { url, visitor, notice }: ResultsDescription,
  search: LoadedSearch['search'],
  account: AccountState,
): RootState {
  // A showcase that the visitor has hidden is not rendered, to avoid a layout shift.
  const hidden = visitor.hidesAlpha ? { alpha: null } : {};
  return {
    page: { kind: 'results', url, referrer: null },
    search: {
      status: 'ready',
      ...search,
      ...hidden,
      notice: notice ?? search.notice,
      requestId: FIRST_SEARCH,
    },
    session: { ...visitor.session, ...account.session },
  };
}

/** `heroImage` is the first vehicle's picture, most likely the largest contentful paint. */
function headOf({
  texts,
  spotlights,
  vehicleHighlight,
  listings,
  criteria,
}: RootState['search']): HeadFields {
  const first = spotlights[0]?.premium[0] ?? vehicleHighlight ?? listings[0];
  const picture = first?.images.sources[first.images.primary];
  return {
    title: texts.title,
    description: texts.description,
    canonical: texts.canonicalUrl,
    isIndexed: true,
    // A photo has variants: its element asks for the right one, and React writes the preload.
    heroImage: picture?.widths ? undefined : picture?.src,
    shareImage: shareImageOf(criteria),
  };
}
