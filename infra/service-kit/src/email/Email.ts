import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Text } from '@react-email/text';
import { createElement, Fragment, type ReactNode } from 'react';

// Services run their sources, and Node strips types but compiles no JSX: elements are made by `createElement`.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

/** Of the design tokens; styles of elements come first, so that clients without `<style>` show the light colors. */
const LIGHT = {
  page: '#f3f5f7',
  card: '#ffffff',
  text: '#1b1f24',
  quiet: '#565f6b',
  border: '#d5dae0',
  accent: '#0b5bd3',
  onAccent: '#ffffff',
};

const DARK_STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .page td { background-color: #0d1014 !important; }
  .card, .card td { background-color: #1c2128 !important; }
  .card { border-color: #333b45 !important; }
  .text { color: #eceff3 !important; }
  .quiet, .quiet a { color: #aab3bf !important; }
  .line { border-color: #333b45 !important; }
  .link { color: #7db1ff !important; }
  .action { background-color: #7db1ff !important; color: #08172e !important; }
}`;

const text = { margin: '0 0 16px', font: `16px/24px ${FONT}`, color: LIGHT.text };
const quiet = { ...text, margin: '0', font: `14px/20px ${FONT}`, color: LIGHT.quiet };

/** An email: its heading, its parts, and notes in small print below a line. */
export function Email({
  preview,
  heading,
  siteName,
  children,
  notes,
}: {
  /** What mailboxes show beside the subject. */
  readonly preview: string;
  /** Shown in HTML only: the text of an email begins with what it says. */
  readonly heading: string;
  readonly siteName: string;
  readonly children?: ReactNode;
  readonly notes?: ReactNode;
}): ReactNode {
  return createElement(
    Html,
    { lang: 'en' },
    createElement(
      Head,
      null,
      createElement('meta', { name: 'viewport', content: 'width=device-width' }),
      createElement('meta', { name: 'color-scheme', content: 'light dark' }),
      createElement('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      createElement('title', null, heading),
      createElement('style', { dangerouslySetInnerHTML: { __html: DARK_STYLE } }),
    ),
    createElement(
      Body,
      { className: 'page', style: { margin: '0', padding: '24px 12px', backgroundColor: LIGHT.page } },
      createElement(Preview, null, preview),
      createElement(
        Container,
        {
          className: 'card',
          style: {
            maxWidth: '560px',
            padding: '24px',
            border: `1px solid ${LIGHT.border}`,
            borderRadius: '10px',
            backgroundColor: LIGHT.card,
          },
        },
        createElement(
          Text,
          { className: 'quiet', style: { ...quiet, margin: '0 0 8px' }, ...SKIPPED_IN_TEXT },
          siteName,
        ),
        createElement(
          Heading,
          {
            as: 'h1',
            className: 'text',
            style: { ...text, font: `600 22px/28px ${FONT}` },
            ...SKIPPED_IN_TEXT,
          },
          heading,
        ),
        children,
        notes !== undefined &&
          createElement(
            Fragment,
            null,
            createElement(Hr, {
              className: 'line',
              style: { margin: '24px 0 16px', border: 'none', borderTop: `1px solid ${LIGHT.border}` },
              ...SKIPPED_IN_TEXT,
            }),
            notes,
          ),
      ),
    ),
  );
}

/** As React Email marks what the text of an email leaves out. */
const SKIPPED_IN_TEXT = { 'data-skip-in-text': true } as object;

export const Paragraph = ({ children }: { readonly children?: ReactNode }): ReactNode =>
  createElement(Text, { className: 'text', style: text }, children);

/** Small print. */
export const Note = ({ children }: { readonly children?: ReactNode }): ReactNode =>
  createElement(Text, { className: 'quiet', style: { ...quiet, margin: '0 0 8px' } }, children);

/** Lines below each other in one paragraph. */
export const Lines = ({ lines }: { readonly lines: readonly ReactNode[] }): ReactNode =>
  createElement(
    Text,
    { className: 'text', style: text },
    lines.map((line, at) => createElement(Fragment, { key: at }, at > 0 && createElement('br'), line)),
  );

/** The words of a person, with their line breaks. */
export const Quote = ({ children }: { readonly children?: string }): ReactNode =>
  createElement(
    'pre',
    {
      className: 'text line',
      style: {
        ...text,
        padding: '0 0 0 12px',
        borderLeft: `4px solid ${LIGHT.border}`,
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      },
    },
    children,
  );

/** What to click; in text its label, and its address on a line of its own. */
export const Action = ({ href, label }: { readonly href: string; readonly label: string }): ReactNode =>
  createElement(
    'p',
    { style: { margin: '0 0 16px' } },
    createElement(
      Button,
      {
        href,
        className: 'action',
        ...({ 'data-label': label } as object),
        style: {
          padding: '12px 20px',
          borderRadius: '6px',
          font: `600 16px/20px ${FONT}`,
          color: LIGHT.onAccent,
          backgroundColor: LIGHT.accent,
        },
      },
      label,
    ),
  );

/** A link in a sentence; its address in text. */
export const EmailLink = ({
  href,
  children,
}: {
  readonly href: string;
  readonly children?: ReactNode;
}): ReactNode =>
  createElement(
    Link,
    { href, className: 'link', style: { color: LIGHT.accent, textDecoration: 'underline' } },
    children,
  );
