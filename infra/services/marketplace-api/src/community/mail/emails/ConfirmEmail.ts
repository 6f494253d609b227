import { Action, Email, EmailLink, Note, Paragraph } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';

/** Asks for the confirmation of an address that someone typed in. */
export function ConfirmEmail({
  siteName,
  what,
  confirmUrl,
  unsubscribeUrl,
}: {
  readonly siteName: string;
  /** What the address was entered for. */
  readonly what: string;
  readonly confirmUrl: string;
  readonly unsubscribeUrl: string;
}): ReactNode {
  return createElement(
    Email,
    {
      siteName,
      heading: 'Confirm your email address',
      preview: `You entered this address for ${what}.`,
      notes: [
        createElement(Note, { key: 'ignore' }, 'If it wasn’t you, do nothing: you won’t hear from us.'),
        createElement(
          Note,
          { key: 'refuse' },
          'To refuse any further request: ',
          createElement(EmailLink, { href: unsubscribeUrl }, 'refuse emails'),
        ),
      ],
    },
    createElement(Paragraph, null, `Someone entered this address on ${siteName} for ${what}. Was it you?`),
    createElement(Action, { href: confirmUrl, label: 'Confirm my address' }),
  );
}
