import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { PageContents } from '../cache/pageContents.ts';
import {
  type Coding,
  CODINGS,
  type ContentCoding,
  type PageBody,
  type Representation,
} from '../compose/pageBody.ts';
import type { PageDictionary } from '../compose/pageDictionary.ts';
import { sendError } from './responses.ts';

const acceptedCodings = (request: Request): ReadonlySet<Coding> =>
  new Set(CODINGS.filter((coding) => request.acceptsEncodings(coding) !== false));

/** Resolves when the socket accepts more data or is closed. */
const drained = (response: ServerResponse, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });

/** The entity tags of `If-None-Match`; a cache on the way may have marked one as weak. */
const tagsOf = (header = ''): string[] => header.match(/"[^"]*"/g) ?? [];

function setCoding(response: Response, coding: ContentCoding): void {
  response.vary('Accept-Encoding');
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding);
}

/** The whole page, or status 304 if the client has it. */
function sendWhole(
  request: Request,
  response: Response,
  {
    body,
    representation,
  }: { readonly body: Pick<PageBody, 'hasTag'>; readonly representation: Representation },
): void {
  const condition = request.headers['if-none-match'];
  const known =
    condition?.trim() === '*' ? representation.etag : tagsOf(condition).find((tag) => body.hasTag(tag));
  response.setHeader('ETag', known ?? representation.etag);
  if (known !== undefined) {
    response.vary('Accept-Encoding').removeHeader('Content-Type');
    response.status(304).end();
    return;
  }
  setCoding(response, representation.coding);
  response.setHeader('Content-Length', representation.bytes.length);
  response.end(request.method === 'HEAD' ? undefined : representation.bytes);
}

/**
 * Sends a page: what is stored at once, with an entity tag; what is still being written as it is
 * written, with backpressure. On failure it destroys the connection, so that clients detect the
 * incomplete page.
 */
export async function sendPage(
  request: Request,
  response: Response,
  {
    body,
    isShared,
    dictionary,
    signal,
  }: {
    readonly body: PageBody;
    readonly isShared: boolean;
    /** That the client has. */
    readonly dictionary: PageDictionary | undefined;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const accepted = acceptedCodings(request);
  response.vary('Available-Dictionary');
  if (isShared && body.isWhole) {
    const representation = await body.representation(accepted, dictionary);
    return sendWhole(request, response, { body, representation });
  }
  const { coding, chunks } = body.stream(accepted, signal, dictionary);
  setCoding(response, coding);
  try {
    for await (const { bytes } of chunks) if (!response.write(bytes)) await drained(response, signal);
  } catch (error) {
    response.destroy();
    throw error;
  }
  if (!signal.aborted) response.end();
}

/** Long enough for a page that is restored from the browser's history. */
const CONTENT_CACHE_CONTROL = 'private, max-age=3600, immutable';

/** `GET {root}/api/page-content/:hash`: what the slots of a shared page were rendered with (`PageContent`). */
export const pageContentApi =
  ({ find }: PageContents): RequestHandler<{ hash: string }> =>
  async (request, response) => {
    const body = find(request.params.hash);
    if (!body) return sendError(response, 404, 'NOT_FOUND', 'the page is no longer stored');
    const representation = await body.representation(acceptedCodings(request));
    response.type('json').set('Cache-Control', CONTENT_CACHE_CONTROL);
    sendWhole(request, response, { body, representation });
  };
