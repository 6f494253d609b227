/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { anonymousSession, createStore } from '@forecourt/search/state';
import { accountMenu } from '../../frame/frame.ts';
import { followSignedIn } from './followSignedIn.ts';

const setCookie = (isSignedIn: boolean) => {
  document.cookie = isSignedIn ? 'signedIn=true' : 'signedIn=; Max-Age=0';
};
const comeBack = () => document.dispatchEvent(new Event('visibilitychange'));
function open(signedIn: boolean) {
  setCookie(signedIn);
  const session = {
    ...anonymousSession,
    signInPath: '/login',
    signedIn,
    account: signedIn ? { firstName: 'Ada', email: 'ada@example.com' } : null,
  };
  const template = document.createElement('template');
  template.innerHTML = accountMenu(session, '/');
  document.body.replaceChildren(template.content);
  const store = createStore({ session });
  followSignedIn(store);
  return store;
}
const menu = () => document.getElementById('fc-account');

afterEach(() => setCookie(false));

describe('followSignedIn on a page that becomes visible again', () => {
  it('changes nothing when the cookie is unchanged', () => {
    const store = open(true);
    comeBack();
    expect(menu()?.textContent).toContain('Ada');
    expect(store.getState().session.signedIn).toBe(true);
  });

  // rows: A2-ROUTE-07
  it('updates when the visitor signed out in another tab', () => {
    const store = open(true);
    setCookie(false);
    comeBack();
    expect(store.getState().session).toMatchObject({ signedIn: false, account: null });
    expect(menu()).toMatchObject({ tagName: 'A', textContent: 'Sign in' });
    expect(menu()?.getAttribute('href')).toBe('/login?refUrl=%2F');
    expect(document.getElementById('fc-account-menu')).toBeNull();
  });

  it('updates when the visitor signed in in another tab', () => {
    const store = open(false);
    setCookie(true);
    comeBack();
    expect(store.getState().session.signedIn).toBe(true);
    expect(menu()?.getAttribute('href')).toBe('/account');
    expect(menu()?.textContent).toBe('Account');
  });
});
