import { Action, Email, EmailLink, Note, Paragraph } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';

/** Greets a confirmed subscription: what it brings, and how to end it. */
export function WelcomeEmail({
  siteName,
  about,
  action,
  unsubscribeUrl,
}: {
  readonly siteName: string;
  /** What will be sent. */
  readonly about: string;
  readonly action: { readonly href: string; readonly label: string };
  readonly unsubscribeUrl: string;
}): ReactNode {
  return createElement(
    Email,
    {
      siteName,
      heading: 'You’re subscribed',
      preview: about,
      notes: createElement(
        Note,
        null,
        'Wasn’t you, or changed your mind? Unsubscribe here: ',
        createElement(EmailLink, { href: unsubscribeUrl }, 'unsubscribe'),
      ),
    },
    createElement(Paragraph, null, about),
    createElement(Action, action),
  );
}
