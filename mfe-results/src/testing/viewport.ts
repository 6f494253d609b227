import { act } from '@testing-library/react';

/** jsdom has no layout, so tests control which elements are in view. */
export class FakeIntersections {
  static all: FakeIntersections[] = [];
  readonly elements = new Set<Element>();
  readonly options: IntersectionObserverInit;
  private readonly receive: IntersectionObserverCallback;
  constructor(receive: IntersectionObserverCallback, options: IntersectionObserverInit = {}) {
    this.receive = receive;
    this.options = options;
    FakeIntersections.all.push(this);
  }
  observe(element: Element) {
    this.elements.add(element);
  }
  unobserve(element: Element) {
    this.elements.delete(element);
  }
  disconnect() {
    this.elements.clear();
  }
  show(element: Element) {
    if (!this.elements.has(element)) return;
    const entry = { target: element, isIntersecting: true } as unknown as IntersectionObserverEntry;
    this.receive([entry], this as unknown as IntersectionObserver);
  }
}

class FakeSizes {
  private readonly receive: () => void;
  constructor(receive: () => void) {
    this.receive = receive;
  }
  observe() {
    this.receive();
  }
  disconnect() {}
}

/** Mocks browser APIs that jsdom lacks; call it before each test. Media queries never match. */
export function prepareViewport(): void {
  FakeIntersections.all = [];
  Object.assign(globalThis, {
    IntersectionObserver: FakeIntersections,
    ResizeObserver: FakeSizes,
    requestIdleCallback: (run: () => void) => setTimeout(run),
    cancelIdleCallback: (handle: number) => clearTimeout(handle),
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  });
  Object.assign(performance, { getEntriesByType: () => [] });
  Object.assign(navigator, { sendBeacon: () => true });
  HTMLImageElement.prototype.decode = () => Promise.resolve();
  sessionStorage.clear();
  localStorage.clear();
}

/** Brings an element into view without waiting for what it loads. */
export const scrollIntoViewNow = (element: Element): void =>
  act(() => FakeIntersections.all.forEach((observer) => observer.show(element)));

/** Brings an element into view and waits for what it loads. */
export const scrollTo = (element: Element): Promise<void> =>
  act(async () => FakeIntersections.all.forEach((observer) => observer.show(element)));
