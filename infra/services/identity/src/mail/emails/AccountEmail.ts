import { Action, Email, Note, Paragraph } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';

/** An email about an account: what was requested, what to click, and notes. */
export function AccountEmail({
  siteName,
  heading,
  request,
  action,
  notes,
}: {
  readonly siteName: string;
  readonly heading: string;
  readonly request: string;
  readonly action: { readonly href: string; readonly label: string };
  readonly notes: readonly string[];
}): ReactNode {
  return createElement(
    Email,
    {
      ...{ siteName, heading, preview: request },
      notes: notes.map((note) => createElement(Note, { key: note }, note)),
    },
    createElement(Paragraph, null, request),
    createElement(Action, action),
  );
}
