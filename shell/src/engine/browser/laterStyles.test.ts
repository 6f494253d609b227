/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { laterStyleLinks } from '../compose/slotMarkup.ts';
import { loadLaterStyles } from './laterStyles.ts';

const SHEETS = ['/assets/1/later.css', '/remotes/mfe-x/1.0.0/web/slots.css'];
const state = jest.spyOn(document, 'readyState', 'get');
/** jsdom has no `disabled` of links. */
const isDisabled = (link: HTMLLinkElement) => link.hasAttribute('disabled');
const links = () => [...document.querySelectorAll<HTMLLinkElement>('link')];

describe('the later styles of a page', () => {
  beforeEach(() => {
    Object.defineProperty(HTMLLinkElement.prototype, 'disabled', {
      configurable: true,
      set(this: HTMLLinkElement, value: boolean) {
        this.toggleAttribute('disabled', value);
      },
    });
    state.mockReturnValue('complete');
    document.body.innerHTML = laterStyleLinks(SHEETS.map((url) => ({ url, integrity: 'sha384-a' })));
  });
  afterEach(() => {
    document.body.innerHTML = '';
  });

  it('are not loaded by the browser itself if it runs scripts', () => {
    expect(links().map((link) => [link.getAttribute('href'), isDisabled(link)])).toEqual(
      SHEETS.map((url) => [url, true]),
    );
    const noscript = document.querySelector('noscript');
    expect(noscript?.textContent.match(/<link rel="stylesheet"(?![^>]*disabled)/g)).toHaveLength(2);
  });

  it('are loaded together, and each shows what follows when it is there or has failed', () => {
    loadLaterStyles();
    expect(links().map(isDisabled)).toEqual([false, false]);
    const isPending = () => links().map((link) => link.hasAttribute('data-later'));
    expect(isPending()).toEqual([true, true]);
    links()[0]?.dispatchEvent(new Event('load'));
    expect(isPending()).toEqual([false, true]);
    links()[1]?.dispatchEvent(new Event('error'));
    expect(isPending()).toEqual([false, false]);
  });

  it('are loaded when a page that is still parsed is complete, too', () => {
    state.mockReturnValue('loading');
    loadLaterStyles();
    document.body.insertAdjacentHTML('beforeend', laterStyleLinks([{ url: '/last.css', integrity: '' }]));
    expect(links().map(isDisabled)).toEqual([false, false, true]);
    state.mockReturnValue('interactive');
    document.dispatchEvent(new Event('readystatechange'));
    expect(links().map(isDisabled)).toEqual([false, false, false]);
  });
});
