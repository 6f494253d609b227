import { act } from '@testing-library/react';

/**
 * jsdom has no layout: the answer says that a watched element's lower edge has
 * been scrolled to so many px below the screen's upper edge. Call it before mounting.
 */
export function watchScrolling(): (element: Element, bottom: number) => void {
  const watched = new Map<Element, IntersectionObserverCallback>();
  window.IntersectionObserver = class implements Partial<IntersectionObserver> {
    private readonly receive: IntersectionObserverCallback;
    constructor(receive: IntersectionObserverCallback) {
      this.receive = receive;
    }
    observe(element: Element) {
      watched.set(element, this.receive);
    }
    disconnect() {
      for (const [element, receive] of watched) if (receive === this.receive) watched.delete(element);
    }
  } as unknown as typeof IntersectionObserver;
  return (element, bottom) => {
    const receive = watched.get(element);
    if (!receive) throw new Error('nobody watches the element');
    const entry = { isIntersecting: bottom > 0, boundingClientRect: { bottom } as DOMRect };
    act(() => receive([entry as IntersectionObserverEntry], {} as IntersectionObserver));
  };
}
