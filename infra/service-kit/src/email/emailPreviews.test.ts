import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { emailPreviews } from './emailPreviews.ts';

async function get(path: string): Promise<Response> {
  const sample = { subject: 'Two <new> matches', html: '<!doctype html><p>Two</p>', text: 'Two & more' };
  const server = express()
    .use(emailPreviews(() => ({ digest: sample })))
    .listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  } finally {
    server.close();
  }
}

describe('emailPreviews', () => {
  it('shows each email in light and dark colors and as text', async () => {
    const response = await get('/emails');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const page = await response.text();
    expect(page).toContain('<h2>Two &lt;new&gt; matches</h2>');
    for (const scheme of ['light', 'dark'])
      expect(page).toContain(
        `<iframe class="${scheme}" title="Two &lt;new&gt; matches, ${scheme}" src="emails/digest">`,
      );
    expect(page).toContain('<pre>Two &amp; more</pre>');
    expect(page).not.toMatch(/<script|https?:/);
  });

  it('serves the HTML of an email in a sandbox, and no other', async () => {
    const response = await get('/emails/digest');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(await response.text()).toBe('<!doctype html><p>Two</p>');
    for (const name of ['other', 'constructor']) expect((await get(`/emails/${name}`)).status).toBe(404);
  });
});
