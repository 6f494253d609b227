/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { holdPlace, returnTo, watchLeaving } from './leftPlace.ts';

const scrollBy = jest.fn();
/** Two links to one vehicle, at 100 and 900 px, and another one. */
beforeEach(() => {
  document.body.innerHTML =
    '<a id="near" href="/v/1">a</a><a id="far" href="/v/1"><b id="inside">b</b></a><a id="other" href="/v/2">c</a><p id="text">d</p>';
  const tops: Record<string, number> = { near: 100, far: 900, other: 500 };
  for (const link of document.querySelectorAll('a'))
    link.getBoundingClientRect = () => ({ top: tops[link.id] }) as DOMRect;
  scrollBy.mockReset();
  Object.assign(window, { scrollBy });
});
const element = (id: string) => document.getElementById(id) as HTMLElement;

describe('watchLeaving', () => {
  it('returns the clicked link even if the browser does not focus it', () => {
    const placeLeft = watchLeaving();
    element('inside').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(placeLeft()).toEqual({ href: '/v/1', top: 900 });
  });

  it('returns the focused link when nothing was clicked', () => {
    const placeLeft = watchLeaving();
    element('other').focus();
    expect(placeLeft()).toEqual({ href: '/v/2', top: 500 });
  });

  it('returns undefined without a link or when it was removed', () => {
    const placeLeft = watchLeaving();
    expect(placeLeft()).toBeUndefined();
    element('text').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    expect(placeLeft()).toBeUndefined();
    element('other').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    element('other').remove();
    expect(placeLeft()).toBeUndefined();
  });
});

describe('returnTo', () => {
  it('focuses the nearest link and scrolls it to the same offset', () => {
    expect(returnTo({ href: '/v/1', top: 850 })).toBe(true);
    expect(document.activeElement?.id).toBe('far');
    expect(scrollBy).toHaveBeenCalledWith({ top: 50, behavior: 'instant' });
  });

  it('does nothing when the link no longer exists', () => {
    expect(returnTo({ href: '/v/3"]', top: 0 })).toBe(false);
    expect(scrollBy).not.toHaveBeenCalled();
  });
});

describe('holdPlace', () => {
  const observer = { resized: () => {}, observe: jest.fn(), disconnect: jest.fn() };
  beforeEach(() => {
    jest.useFakeTimers();
    observer.disconnect.mockReset();
    const ResizeObserver = function create(resized: () => void) {
      return Object.assign(observer, { resized });
    };
    Object.assign(window, { ResizeObserver, scrollY: 0 });
  });
  afterEach(() => void jest.useRealTimers());

  it('keeps the link at its offset while what is above it gets its real height, for a second', () => {
    holdPlace({ href: '/v/2', top: 500 });
    element('other').getBoundingClientRect = () => ({ top: 650 }) as DOMRect;
    observer.resized();
    expect(scrollBy).toHaveBeenLastCalledWith({ top: 150, behavior: 'instant' });
    expect(observer.disconnect).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    expect(observer.disconnect).toHaveBeenCalled();
  });

  it.each([
    ['scrolls', () => Object.assign(window, { scrollY: 40 })],
    ['moves the focus', () => element('near').focus()],
  ])('lets go when the visitor %s', (_, goOn) => {
    holdPlace({ href: '/v/2', top: 500 });
    goOn();
    scrollBy.mockReset();
    observer.resized();
    expect(scrollBy).not.toHaveBeenCalled();
    expect(observer.disconnect).toHaveBeenCalled();
  });
});
