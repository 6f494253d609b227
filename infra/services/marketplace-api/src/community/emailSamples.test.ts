import { describe, expect, it } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { emailSamples } from './emailSamples.ts';

const SAMPLES = emailSamples({ siteUrl: 'https://site.test', siteName: 'Forecourt' });
/** Old mail programs need tables and inline styles. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'no-inline-style': 'off', 'no-deprecated-attr': 'off' },
});

const linksOf = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe.each(Object.entries(SAMPLES))('the email %s', (_, { subject, html, text }) => {
  it('has the same links in HTML and in text', () => {
    const links = new Set(linksOf(html));
    expect(links.size).toBeGreaterThan(0);
    for (const link of links) {
      expect(link).toMatch(/^https:\/\/site\.test(?:\/|$)/);
      expect(text).toContain(link);
    }
  });

  it('has a subject, and a text that reads without markup', () => {
    expect(subject).not.toBe('');
    expect(text).not.toMatch(/<\/?\w+[^>]*>|&\w+;|undefined|\[object/);
    expect(html).not.toMatch(/undefined|\[object/);
  });

  it('is valid HTML but for what mail programs need', async () => {
    const { results } = await validator.validateString(html);
    const messages = results.flatMap((result) =>
      result.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    );
    expect(messages).toEqual([]);
  });
});

it('shows a digest with names, prices and links of its vehicles', () => {
  const { html, text } = SAMPLES['digest']!;
  expect(text).toContain(
    '2021 Ford F-150 XLT, $38,000, 31,000 miles\nhttps://site.test/cars-for-sale/vehicle/1000001\n',
  );
  expect(text).toContain('Raptor, Call for price');
  expect(html).toContain('2021 Ford F-150 XLT, $38,000, 31,000 miles');
});
