import type { Response } from 'express';
import type { MessageOptions } from '../../engine/http/messagePage.ts';
import { escapeHtml } from '../../engine/compose/html.ts';
import { sendMessagePage } from './messagePages.ts';

/**
 * Responds to a form with a page that leads on by itself. A redirect would still belong to the form, which may only go where
 * the page's policy lets forms go: issuers have pages on other origins, and redirect further to some that nobody here knows.
 */
export function leaveForm(response: Response, href: string, { css }: Pick<MessageOptions, 'css'>): void {
  const body =
    '<div class="fc-message"><h1>One moment</h1><p>The next page opens by itself.</p>' +
    `<p class="fc-message-actions"><a class="fc-action" href="${escapeHtml(href)}">Continue</a></p></div>`;
  response.set('Refresh', `0; url=${href}`);
  sendMessagePage(response, { title: 'One moment', body }, { css, status: 200 });
}
