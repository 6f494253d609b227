import type { Request, RequestHandler, Response } from 'express';
import { emptySearch, type RootState } from '@forecourt/shared-contracts/store';
import { CallFailure } from '../gateway/callFailure.ts';
import type { CallContext } from '../gateway/gateway.ts';
import { messagePage, searchErrorPage, type MessagePage } from '../page/errorPage.ts';
import { markTested } from '../overrides/testedPage.ts';
import { chooseSnapshot } from '../releases/snapshot.ts';
import type { ShellDeps } from '../server/deps.ts';
import { infoOf, originOf, type RequestInfo } from '../server/requestContext.ts';
import { renderDocument, type PageDocument } from './document.ts';

/** What a page is made with. */
export interface PageContext {
  readonly info: RequestInfo;
  readonly origin: string;
  readonly query: URLSearchParams;
  /** Names the request, in the visitor's name where one is signed in. */
  readonly call: CallContext;
  /** The state of a page without a search, as slots expect it. */
  readonly stateOf: (search: Partial<RootState['search']>) => RootState;
}

export type PageAnswer =
  | { readonly kind: 'page'; readonly page: PageDocument }
  | { readonly kind: 'message'; readonly status: number; readonly message: MessagePage }
  | { readonly kind: 'redirect'; readonly status: 301 | 302; readonly to: string };

/**
 * Runs one of the shell's own pages. Whatever a required call fails with
 * becomes the error screen, which tries the same URL again; a visitor who has
 * left gets nothing.
 */
export function pageRoute(
  { releases, assets, overrides }: Pick<ShellDeps, 'releases' | 'assets' | 'overrides'>,
  run: (request: Request, context: PageContext) => Promise<PageAnswer>,
): RequestHandler {
  async function answer(
    request: Request,
    response: Response,
    info: RequestInfo,
    answered: PageAnswer,
  ): Promise<void> {
    const { visitor, nonce, requestId } = info;
    if (answered.kind === 'redirect') {
      // Not kept by browsers: what is gone today may be for sale again.
      response.set('Cache-Control', 'no-store').redirect(answered.status, answered.to);
      return;
    }
    if (answered.kind === 'message') {
      const page = { ...answered.message, current: request.originalUrl };
      response.status(answered.status).set('Cache-Control', 'no-store').type('html');
      response.send(messagePage(page, visitor.session, assets.css, nonce));
      return;
    }
    const chosen = chooseSnapshot(releases.live(), visitor.id);
    const tested = await overrides?.pageFor(request, chosen, request.originalUrl);
    const snapshot = tested?.snapshot ?? chosen;
    response.status(200).set('Cache-Control', 'private, no-cache').type('html');
    if (tested) markTested(response, tested);
    response.send(
      renderDocument(answered.page, {
        assets,
        snapshot,
        tested,
        origin: originOf(request),
        nonce,
        requestId,
      }),
    );
  }

  return async (request, response) => {
    const info = infoOf(request);
    const mark = request.originalUrl.indexOf('?');
    const context: PageContext = {
      info,
      origin: originOf(request),
      query: new URLSearchParams(mark === -1 ? '' : request.originalUrl.slice(mark)),
      call: info.callContext,
      stateOf: (search) => ({
        page: { kind: 'vehicle', url: request.originalUrl, referrer: null },
        search: { ...emptySearch, ...search, requestId: info.requestId, status: 'ready' },
        session: info.visitor.session,
      }),
    };
    try {
      await answer(request, response, info, await run(request, context));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return;
      const message = searchErrorPage(request.originalUrl);
      await answer(request, response, info, { kind: 'message', status: 500, message });
    }
  };
}
