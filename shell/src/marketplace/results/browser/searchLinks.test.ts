/** @jest-environment jest-fixed-jsdom */
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { listenToSearchLinks, searchUrlOf } from './searchLinks.ts';

const follow = jest.fn<(url: string) => void>();
const press = jest.fn<(url: string) => void>();

/** Clicks a link made from `html`; returns whether the browser would follow it. */
function click(html: string, init: MouseEventInit = {}): boolean {
  document.body.innerHTML = html;
  // jsdom cannot navigate: what is left to the browser ends here.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true, capture: false });
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0, ...init });
  let isLeft = true;
  window.addEventListener('click', () => (isLeft = follow.mock.calls.length === 0), { once: true });
  (document.querySelector('[data-here]') ?? document.querySelector('a'))?.dispatchEvent(event);
  return isLeft;
}

describe('links to searches', () => {
  beforeAll(() => listenToSearchLinks(follow, press));
  beforeEach(() => {
    follow.mockClear();
  });

  it.each([
    ['/cars-for-sale', '/cars-for-sale'],
    ['/cars-for-sale/all-cars?zip=60601', '/cars-for-sale/all-cars?zip=60601'],
    ['http://localhost/cars-for-sale/used/ford#top', '/cars-for-sale/used/ford'],
  ])('recognizes %s as a search', (href, url) => expect(searchUrlOf(href)).toBe(url));

  it.each([
    '/',
    '/cars-for-sale-by-owner',
    '/cars-for-sale/vehicle/123',
    '/cars-for-sale/svc/zip/60601',
    '/Cars-For-Sale/API/search',
    'https://example.com/cars-for-sale',
    'mailto:someone@example.com',
    'https://[',
  ])('leaves %s to the browser', (href) => expect(searchUrlOf(href)).toBeUndefined());

  it('follows a plain click, also on an element inside the link', () => {
    click('<a href="/cars-for-sale/used"><span data-here>Used</span></a>');
    expect(follow).toHaveBeenCalledWith('/cars-for-sale/used');
  });

  it.each([
    ['with a modifier key', '<a href="/cars-for-sale/used">x</a>', { ctrlKey: true }],
    ['with the middle button', '<a href="/cars-for-sale/used">x</a>', { button: 1 }],
    ['into a new tab', '<a href="/cars-for-sale/used" target="_blank">x</a>', {}],
    ['that downloads', '<a href="/cars-for-sale/used" download>x</a>', {}],
    ['to another page', '<a href="/cars-for-sale/vehicle/7">x</a>', {}],
    ['within the page', '<a href="#slot-results">x</a>', {}],
    ['on no link', '<button data-here>x</button>', {}],
  ])('leaves a click %s to the browser', (_case, html, init) => {
    expect(click(html, init)).toBe(true);
    expect(follow).not.toHaveBeenCalled();
  });

  it('reports a link that the mouse presses, and none that a finger touches', () => {
    document.body.innerHTML = '<a href="/cars-for-sale/used">x</a>';
    const pressWith = (pointerType: string) => {
      const event = new MouseEvent('pointerdown', { bubbles: true, button: 0 });
      document.querySelector('a')?.dispatchEvent(Object.assign(event, { pointerType }));
    };
    pressWith('touch');
    expect(press).not.toHaveBeenCalled();
    pressWith('mouse');
    expect(press).toHaveBeenCalledWith('/cars-for-sale/used');
  });

  it('ignores clicks that a slot has handled', () => {
    document.body.innerHTML = '<a href="/cars-for-sale/used">x</a>';
    const link = document.querySelector('a');
    link?.addEventListener('click', (event) => event.preventDefault());
    link?.click();
    expect(follow).not.toHaveBeenCalled();
  });
});
