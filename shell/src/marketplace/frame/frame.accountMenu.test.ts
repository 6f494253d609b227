import { describe, expect, it } from '@jest/globals';
import { anonymousSession } from '@forecourt/search/state';
import { accountMenu, siteBar, siteFooter } from './frame.ts';

const session = { ...anonymousSession, signInPath: '/login' };
const signedIn = { ...session, signedIn: true };

describe('account menu', () => {
  // rows: A2-ROUTE-07
  it('is a link to the configured sign-in path that returns to this page', () => {
    expect(accountMenu(session, '/cars-for-sale/all?zip=60601&makeCode=FORD')).toContain(
      'href="/login?refUrl=%2Fcars-for-sale%2Fall%3Fzip%3D60601%26makeCode%3DFORD"',
    );
  });

  it('offers saved items and a sign-out form to signed-in visitors', () => {
    const html = accountMenu({ ...signedIn, account: { firstName: 'Ada', email: 'ada@example.com' } }, '/');
    expect(html).toContain('>Ada</span>');
    expect(html).toContain('href="/account/saved-vehicles"');
    expect(html).toContain('href="/account/saved-searches"');
    expect(html).toMatch(/<form method="post" action="\/account\/sign-out"><button type="submit">Sign out/);
    expect(html).not.toContain('ada@example.com');
  });

  it('leads to the saved vehicles, through the sign-in for visitors who are signed out', () => {
    const bar = (visitor: typeof session) => siteBar({ ...visitor, brand: 'atc' }, '/cars-for-sale/all-cars');
    for (const visitor of [session, signedIn])
      expect(bar(visitor)).toMatch(/href="\/account\/saved-vehicles">.*Saved<\/span> <b><\/b><\/a>/);
  });

  it('opens as a popover without JavaScript', () => {
    const html = accountMenu(signedIn, '/');
    expect(html).toContain('popovertarget="fc-account-menu"');
    expect(html).toContain('id="fc-account-menu" popover');
    expect(html).toContain('>Account</span>');
  });

  it('escapes the visitor’s name', () => {
    const html = accountMenu({ ...signedIn, account: { firstName: '<script>x', email: '' } }, '/');
    expect(html).toContain('&lt;script&gt;x');
    expect(html).not.toContain('<script');
  });
});

it('ends every page with links to help, contact, privacy and terms', () => {
  const html = siteFooter('Forecourt');
  for (const path of ['/help', '/help#contact', '/help#privacy', '/help#terms'])
    expect(html).toContain(`<a href="${path}">`);
});
