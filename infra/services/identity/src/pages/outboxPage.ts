import escapeHtml from 'escape-html';
import type { StoredMail } from '../mail/outbox.ts';
import type { Page } from './layout.ts';

const isLink = (line: string): boolean => /^https?:\/\/\S+$/.test(line);

const lineHtml = (line: string): string =>
  isLink(line) ? `<a href="${escapeHtml(line)}">${escapeHtml(line)}</a>` : escapeHtml(line);

/** Mails that no mail server takes: on one's own machine they are read here. */
export const outboxPage = (mails: readonly StoredMail[]): Page => ({
  title: 'Mails of this machine',
  body:
    '<h1>Mails of this machine</h1><p class="id-lead">Without a mail server the mails of accounts stay here, the newest first.</p>' +
    (mails.length === 0
      ? '<p class="id-lead">There are none.</p>'
      : `<ol class="id-mails">${mails
          .map(
            ({ to, subject, text }) =>
              `<li><h2>${escapeHtml(subject)}</h2><p class="id-hint">To ${escapeHtml(to)}</p><pre>${text.trim().split('\n').map(lineHtml).join('\n')}</pre></li>`,
          )
          .join('')}</ol>`),
});
