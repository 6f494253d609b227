import { Router, type Request, type RequestHandler } from 'express';
import { z } from 'zod';
import type { MessagePage } from '../../engine/http/messagePage.ts';
import { sendMessagePage } from '../frame/messagePages.ts';
import { escapeHtml } from '../../engine/compose/html.ts';
import { createStreamingEgress, readBody } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../engine/egress.ts';
import { contextOf } from '../../engine/http/requestContext.ts';

/** What the upstream says of the token in an email's link; `search` names what its emails are about. */
const linkSchema = z.object({
  page: z.enum(['confirm', 'confirmed', 'unsubscribe', 'ended', 'unknown']),
  search: z.string().default(''),
});
type Link = z.infer<typeof linkSchema>;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024;

const TEXTS: Readonly<
  Record<Link['page'], { readonly title: string; readonly text?: string; readonly button?: string }>
> = {
  confirm: { title: 'Do you want these emails?', button: 'Yes, email me' },
  confirmed: { title: 'You’re subscribed', text: 'Every email has an unsubscribe link.' },
  unsubscribe: { title: 'Unsubscribe from these emails?', button: 'Unsubscribe' },
  ended: { title: 'You’re unsubscribed', text: 'You won’t get these emails anymore.' },
  unknown: { title: 'We don’t recognize this link', text: 'The subscription may have ended a while ago.' },
};

function linkPage({ page, search }: Link): MessagePage {
  const { title, text, button } = TEXTS[page];
  const paragraphs = [search, text].filter((line) => line).map((line) => `<p>${escapeHtml(line!)}</p>`);
  const form = button ? `<form method="post"><button class="fc-action">${button}</button></form>` : '';
  const browse = `<a class="${button ? 'fc-action-quiet' : 'fc-action'}" href="/cars-for-sale/all-cars">See cars for sale</a>`;
  return {
    title,
    body: `<div class="fc-message"><h1>${title}</h1>${paragraphs.join('')}<div class="fc-message-actions">${form}${browse}</div></div>`,
  };
}

const UNAVAILABLE: MessagePage = {
  title: 'Not available right now',
  body:
    '<div class="fc-message"><h1>We can’t change your emails right now.</h1>' +
    '<p>Nothing was changed. Please open the link again in a few minutes.</p></div>',
};

/**
 * Pages behind the links of emails, `…/svc/confirm/TOKEN` and `…/svc/unsubscribe/TOKEN`. Opening one changes nothing, because
 * mail scanners open links; its button does, without scripts. Mail programs post to the second one from elsewhere
 * (RFC 8058), so writes need no origin: the token is the permission.
 */
export function emailLinks(upstream: string, css: string, limited: RequestHandler): Router {
  const send = createStreamingEgress(EGRESS.upstream(upstream));
  async function ask(request: Request): Promise<Link | 'limited'> {
    const { method, path } = request;
    const { requestId, consumerId = '' } = contextOf(request).callContext;
    const response = await send(new URL(path, upstream), {
      method: method === 'POST' ? 'POST' : 'GET',
      // The upstream limits writes by visitor: without one, all of the site would share a budget.
      headers: { Accept: 'application/json', 'X-Request-Id': requestId, 'X-Consumer-Id': consumerId },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await readBody(response, MAX_BYTES);
    if (response.status === 429) return 'limited';
    if (response.status !== 200 && response.status !== 404) throw new Error(`status ${response.status}`);
    return linkSchema.parse(JSON.parse(body.toString('utf8')));
  }
  const show: RequestHandler = async (request, response) => {
    try {
      const link = await ask(request);
      if (link === 'limited') return sendMessagePage(response, UNAVAILABLE, { css, status: 429 });
      return sendMessagePage(response, linkPage(link), { css, status: link.page === 'unknown' ? 404 : 200 });
    } catch {
      return sendMessagePage(response, UNAVAILABLE, { css, status: 502 });
    }
  };
  const router = Router();
  router
    .route(/^\/cars-for-sale\/svc\/(?:confirm|unsubscribe)\/[\w-]{1,100}$/)
    .get(show)
    .post(limited, show);
  return router;
}
