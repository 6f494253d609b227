/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SlotEnvironment } from '@forecourt/slots';
import { LIBRARY_EVENT_TYPES, libraryPersonalParts, librarySite } from '../../testing/librarySite.ts';
import { CallError } from '../call.ts';
import { mountFrame } from './framedSlot.ts';
import { HELLO, type FrameStart, type PageMessage } from './protocol.ts';

/** Delivers at once what the page posts, and what the frame sends. */
class FakeChannel {
  static last: FakeChannel;
  readonly sent: PageMessage[] = [];
  readonly close = jest.fn();
  #receive: (event: { data: unknown }) => void = () => {};
  readonly port2 = { isPort2: true };
  readonly port1 = {
    addEventListener: (_: string, receive: (event: { data: unknown }) => void) => (this.#receive = receive),
    start() {},
    postMessage: (message: PageMessage) => this.sent.push(message),
    close: this.close,
  };
  constructor() {
    FakeChannel.last = this;
  }
  send(data: unknown): void {
    this.#receive({ data: typeof data === 'string' ? data : JSON.stringify(data) });
  }
  sendRaw(data: unknown): void {
    this.#receive({ data });
  }
}

const SLOT = {
  slot: 'loan-form',
  remote: 'mfe-x',
  expose: './loan-form',
  hydrate: 'load',
  wakes: [],
  emits: '',
  hears: '',
  rendered: 'release',
  data: { from: 'server' },
  styles: [],
  scripts: [],
  frame: { version: '1.4.0', reads: ['session', 'shelf.books'], maxHeight: 500 },
} as const;

function setUp() {
  document.documentElement.dataset['brand'] = 'kbb';
  document.body.innerHTML = '<div id="slot-loan-form" data-empty><a href="/x">served</a></div>';
  const element = document.getElementById('slot-loan-form') as HTMLElement;
  const store = librarySite.state.createStore();
  store.dispatch({ type: 'session/opened', payload: 'Ada' });
  const listeners = new Map<string, (payload: never) => void>();
  const unlisten = jest.fn();
  const environment = {
    slot: 'loan-form',
    emit: jest.fn<SlotEnvironment['emit']>(),
    listen: jest.fn((type: string, receive: (payload: never) => void) => {
      listeners.set(type, receive);
      return unlisten;
    }),
    call: jest.fn<(...call: unknown[]) => Promise<unknown>>(() => Promise.resolve({ name: 'Austen' })),
    attachOutlet: () => () => {},
  };
  const refusals: { readonly reason: string }[] = [];
  const onReady = jest.fn();
  const onError = jest.fn();
  const mounted = mountFrame({
    slot: SLOT,
    element,
    store,
    siteEvents: LIBRARY_EVENT_TYPES,
    withoutPersonal: libraryPersonalParts.withoutPersonal,
    environment: environment as unknown as SlotEnvironment,
    refuse: (refusal) => refusals.push(refusal),
    onReady,
    onError,
  });
  unmountLast = mounted.unmount;
  const iframe = element.querySelector('iframe') as HTMLIFrameElement;
  const post = jest.fn<(...message: unknown[]) => void>();
  Object.assign(iframe.contentWindow as object, { postMessage: post });
  const greet = (data: unknown = HELLO, source = iframe.contentWindow) =>
    window.dispatchEvent(new MessageEvent('message', { data, source }));
  const start = () => {
    greet();
    return FakeChannel.last;
  };
  return {
    element,
    store,
    environment,
    listeners,
    unlisten,
    refusals,
    onReady,
    onError,
    mounted,
    iframe,
    post,
    greet,
    start,
  };
}

let unmountLast = () => {};
const flush = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  Object.assign(globalThis, { MessageChannel: FakeChannel });
  Object.defineProperty(navigator, 'userActivation', { value: { isActive: true }, configurable: true });
});
afterEach(() => {
  unmountLast();
  jest.useRealTimers();
});

describe('the frame', () => {
  it("is sandboxed without its origin, and inert above the server's HTML until it is ready", () => {
    const { element, iframe, start, onReady } = setUp();
    expect(iframe.getAttribute('sandbox')).toBe('allow-scripts');
    expect(iframe.getAttribute('src')).toBe('/frames/loan-form/mfe-x/1.4.0');
    expect(iframe.title).toBe('Loan form');
    expect(iframe.inert).toBe(true);
    expect(element).toHaveTextContent('served');
    const channel = start();
    channel.send({ kind: 'size', height: 220 });
    expect(element).toHaveTextContent('served');
    channel.send({ kind: 'ready' });
    channel.send({ kind: 'ready' });
    expect(element).not.toHaveTextContent('served');
    expect(iframe.inert).toBe(false);
    expect(iframe.style.blockSize).toBe('220px');
    expect(onReady).toHaveBeenCalledTimes(1);
  });

  it('is never higher than the layout allows', () => {
    const { iframe, start } = setUp();
    start().send({ kind: 'size', height: 99_999 });
    expect(iframe.style.blockSize).toBe('500px');
  });

  it("is removed when it is not ready in time, and the server's HTML stays", () => {
    jest.useFakeTimers();
    const { element, onError } = setUp();
    jest.advanceTimersByTime(20_000);
    expect(element.innerHTML).toBe('<a href="/x">served</a>');
    expect(onError).toHaveBeenCalledWith('load', new Error('the frame was not ready within 20000 ms'));
  });

  it("is removed when it navigates, and the server's HTML comes back", () => {
    const { element, iframe, start, onError } = setUp();
    const channel = start();
    channel.send({ kind: 'ready' });
    iframe.dispatchEvent(new Event('load'));
    iframe.dispatchEvent(new Event('load'));
    expect(element.innerHTML).toBe('<a href="/x">served</a>');
    expect(channel.close).toHaveBeenCalled();
    expect(onError).toHaveBeenCalledWith('render', new Error('the frame navigated'));
  });
});

describe('the state in the frame', () => {
  it('has what the slot reads, without the account, and follows changes of that only', () => {
    const { start, post, store } = setUp();
    const channel = start();
    const [message, target, ports] = post.mock.calls[0] as [FrameStart, string, unknown[]];
    expect(target).toBe('*');
    expect(ports).toEqual([channel.port2]);
    expect(message).toMatchObject({ brand: 'kbb', isRendered: true, data: { from: 'server' } });
    expect(Object.keys(message.parts)).toEqual(['session', 'shelf.books']);
    expect(message.parts).toEqual({ 'shelf.books': 5, session: { reader: null } });
    store.dispatch({ type: 'shelf/counted', payload: 9 });
    store.dispatch({ type: 'session/opened', payload: 'Bob' });
    expect(channel.sent.filter(({ kind }) => kind === 'state')).toMatchObject([
      { parts: { 'shelf.books': 9 } },
      { parts: { session: { reader: null } } },
    ]);
    expect(JSON.stringify([message, channel.sent])).not.toMatch(/Ada|Bob/);
  });

  it('is sent to the document in the frame only, once', () => {
    const { greet, post } = setUp();
    greet('other data');
    greet(HELLO, window);
    expect(post).not.toHaveBeenCalled();
    greet();
    greet();
    expect(post).toHaveBeenCalledTimes(1);
  });
});

describe('messages of the frame', () => {
  it('emit and hear through the environment of the slot', () => {
    const { environment, listeners, start, mounted, unlisten } = setUp();
    const channel = start();
    channel.send({ kind: 'emit', type: 'page.announced', payload: { message: 'x' } });
    expect(environment.emit).toHaveBeenCalledWith('page.announced', { message: 'x' });
    channel.send({ kind: 'listen', type: 'toast.shown' });
    channel.send({ kind: 'listen', type: 'toast.shown' });
    expect(environment.listen).toHaveBeenCalledTimes(1);
    listeners.get('toast.shown')?.({ id: '1' } as never);
    expect(channel.sent).toContainEqual({ kind: 'event', type: 'toast.shown', payload: { id: '1' } });
    mounted.unmount();
    expect(unlisten).toHaveBeenCalled();
  });

  it('call through the environment of the slot, ten at a time', async () => {
    const { environment, start } = setUp();
    const channel = start();
    channel.send({ kind: 'call', id: 1, name: 'author', params: { book: '7' } });
    expect(environment.call.mock.calls[0]?.slice(0, 2)).toEqual(['author', { book: '7' }]);
    await flush();
    expect(channel.sent).toContainEqual({ kind: 'result', id: 1, value: { name: 'Austen' } });
    environment.call.mockRejectedValueOnce(new CallError('CALL_NOT_ALLOWED', 403));
    channel.send({ kind: 'call', id: 2, name: 'cover', params: {} });
    await flush();
    expect(channel.sent).toContainEqual({ kind: 'failure', id: 2, code: 'CALL_NOT_ALLOWED', status: 403 });
    environment.call.mockReturnValue(new Promise(() => {}));
    for (let id = 10; id < 21; id += 1) channel.send({ kind: 'call', id, name: 'cover', params: {} });
    expect(channel.sent.at(-1)).toEqual({ kind: 'failure', id: 20, code: 'TOO_MANY_CALLS', status: 0 });
    channel.send({ kind: 'abort', id: 10 });
    const options = environment.call.mock.calls[2]?.[2] as { signal: AbortSignal };
    expect(options.signal.aborted).toBe(true);
  });

  it.each([
    ['invalid', (channel: FakeChannel) => channel.send('{')],
    ['no text', (channel: FakeChannel) => channel.sendRaw({ kind: 'ready' })],
    [
      'too many',
      (channel: FakeChannel) => {
        for (let at = 0; at <= 200; at += 1) channel.send({ kind: 'size', height: at });
      },
    ],
  ])("end the frame when they are %s, and the server's HTML comes back", (_, attack) => {
    const { element, environment, start, onError } = setUp();
    const channel = start();
    channel.send({ kind: 'ready' });
    attack(channel);
    expect(element.innerHTML).toBe('<a href="/x">served</a>');
    expect(onError).toHaveBeenCalledTimes(1);
    channel.send({ kind: 'emit', type: 'page.announced', payload: { message: 'late' } });
    expect(environment.emit).not.toHaveBeenCalled();
  });

  it('report failed data, and end the frame when the view has failed', () => {
    const { element, iframe, start, onError } = setUp();
    const channel = start();
    channel.send({ kind: 'error', phase: 'load', message: 'no data' });
    expect(onError).toHaveBeenLastCalledWith('load', new Error('no data'));
    expect(element.contains(iframe)).toBe(true);
    channel.send({ kind: 'error', phase: 'render', message: 'broken' });
    expect(onError).toHaveBeenLastCalledWith('render', new Error('broken'));
    expect(element.innerHTML).toBe('<a href="/x">served</a>');
  });
});

describe('a link in the frame', () => {
  function follow(url: string, { isActive = true, hasFocus = true } = {}) {
    const { element, iframe, refusals, start } = setUp();
    Object.defineProperty(navigator, 'userActivation', { value: { isActive }, configurable: true });
    if (hasFocus) iframe.focus();
    const followed: string[] = [];
    element.addEventListener('click', (event) => {
      followed.push((event.target as HTMLAnchorElement).href);
      event.preventDefault();
    });
    start().send({ kind: 'follow', url, isNewTab: false });
    return { followed, reasons: refusals.map(({ reason }) => reason) };
  }

  it('is followed in the page', () => {
    expect(follow('/library/novels')).toEqual({
      followed: ['http://localhost/library/novels'],
      reasons: [],
    });
  });

  it.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)', 'http://'])(
    'is refused when it leads elsewhere: %s',
    (url) => {
      expect(follow(url)).toEqual({ followed: [], reasons: ['a frame leads to pages of this site only'] });
    },
  );

  it.each([{ isActive: false }, { hasFocus: false }])(
    'is refused when the visitor has not acted in the frame: %j',
    (visitor) => {
      const { followed, reasons } = follow('/library/novels', visitor);
      expect(followed).toEqual([]);
      expect(reasons).toEqual(['the visitor has not followed a link']);
    },
  );
});
