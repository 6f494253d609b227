import type { SlotEnvironment, SlotModule, SlotState } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import type { EventType } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';
import { slotElementId } from '../../universal/slotElements.ts';
import type { FrameData } from '../../universal/bootData.ts';
import { messageOf } from '../../universal/messageOf.ts';
import { createAssets } from '../assets.ts';
import type { BrowserSite } from '../browserSite.ts';
import { CallError } from '../call.ts';
import { createRemoteLoader, type FederationHost } from '../remoteLoader.ts';
import { HELLO, type FrameMessage, type FrameStart, type PageMessage, type StateParts } from './protocol.ts';

const MIRRORED = 'frame/mirrored';

function withParts(state: SlotState, parts: StateParts): SlotState {
  const changed: Record<string, unknown> = { ...state };
  for (const [need, value] of Object.entries(parts)) {
    const [part = '', member] = need.split('.');
    changed[part] = member === undefined ? value : { ...(changed[part] as object), [member]: value };
  }
  return changed as unknown as SlotState;
}

/** A store that follows the page's; the slot's own actions have no effect. */
function createMirror(parts: StateParts, createStore: BrowserSite['state']['createStore']) {
  const store = createStore();
  const first = withParts(store.getState(), parts);
  store.replaceReducer((state = first, action) =>
    action.type === MIRRORED ? (action as unknown as { payload: SlotState }).payload : state,
  );
  const update = (state: SlotState) => store.dispatch({ type: MIRRORED, payload: state });
  update(first);
  return {
    store: store as SlotStore,
    apply: (changes: StateParts) => update(withParts(store.getState(), changes)),
  };
}

interface PendingCall {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** The slot's environment, whose every service is in the page. */
class RemoteEnvironment {
  readonly #send: (message: FrameMessage) => void;
  readonly #listeners = new Map<EventType, Set<(payload: never) => void>>();
  readonly #calls = new Map<number, PendingCall>();
  #lastCall = 0;

  constructor(send: (message: FrameMessage) => void) {
    this.#send = send;
  }

  readonly listen: SlotEnvironment['listen'] = (type, receive) => {
    const listeners = this.#listeners.get(type) ?? new Set();
    listeners.add(receive as (payload: never) => void);
    if (!this.#listeners.has(type)) this.#send({ kind: 'listen', type });
    this.#listeners.set(type, listeners);
    return () => void listeners.delete(receive as (payload: never) => void);
  };

  readonly call: SlotEnvironment['call'] = (name, params, { body, signal, idempotencyKey } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      this.#lastCall += 1;
      const id = this.#lastCall;
      this.#calls.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => {
        this.#send({ kind: 'abort', id });
        reject(signal.reason as Error);
      });
      return this.#send({ kind: 'call', id, name, params, body, idempotencyKey });
    });

  receive(message: Exclude<PageMessage, { kind: 'state' }>): void {
    if (message.kind === 'event') {
      for (const receive of this.#listeners.get(message.type) ?? []) receive(message.payload as never);
      return;
    }
    const pending = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    if (message.kind === 'result') pending?.resolve(message.value as never);
    else pending?.reject(new CallError(message.code, message.status));
  }
}

/** Follows links in the page: the sandbox lets a frame navigate neither the page nor new windows. */
function followLinks(pageUrl: string, send: (message: FrameMessage) => void): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const href = link?.getAttribute('href');
    if (event.defaultPrevented || href == null || href.startsWith('#')) return;
    event.preventDefault();
    const isNewTab =
      event.ctrlKey || event.metaKey || event.shiftKey || link?.getAttribute('target') === '_blank';
    if (URL.canParse(href, pageUrl)) send({ kind: 'follow', url: new URL(href, pageUrl).href, isNewTab });
  });
}

function followSize(element: HTMLElement, send: (message: FrameMessage) => void): () => void {
  const measure = () => send({ kind: 'size', height: Math.ceil(element.getBoundingClientRect().height) });
  new ResizeObserver(measure).observe(element);
  return measure;
}

interface StartedFrame {
  readonly site: Pick<BrowserSite, 'state'>;
  readonly slot: FrameData;
  readonly module: SlotModule;
  readonly start: FrameStart;
  readonly port: MessagePort;
  readonly send: (message: FrameMessage) => void;
}

function mountInFrame({ site, slot: { slot }, module, start, port, send }: StartedFrame): void {
  const element = document.getElementById(slotElementId(slot)) as HTMLElement;
  const { store, apply } = createMirror(start.parts, site.state.createStore);
  const remote = new RemoteEnvironment(send);
  port.onmessage = ({ data }: MessageEvent<PageMessage>) =>
    data.kind === 'state' ? apply(data.parts) : remote.receive(data);
  followLinks(start.url, send);
  mountSlot({
    module,
    element,
    store,
    environment: {
      slot,
      emit: (type, payload) => send({ kind: 'emit', type, payload }),
      listen: remote.listen,
      call: remote.call,
      // A frame has no place for other slots.
      attachOutlet: () => () => {},
    },
    ...(start.isRendered && { server: { state: store.getState(), data: start.data } }),
    onReady() {
      // Before the observer: browsers don't lay out frames outside of the viewport by themselves.
      followSize(element, send)();
      send({ kind: 'ready' });
    },
    onError: (phase, error) =>
      send({
        kind: 'error',
        phase: phase === 'load' ? 'load' : 'render',
        message: messageOf(error).slice(0, 2000),
      }),
  });
}

/** Runs in the document of a frame: asks the page for a port and mounts the slot with it. */
export function startFrame(slot: FrameData, host: FederationHost, site: StartedFrame['site']): void {
  // Reading cookies throws in an opaque origin. Slots see what they see in browsers that block cookies.
  Object.defineProperty(document, 'cookie', { get: () => '', set() {} });
  const { remote } = slot;
  const loadSlot = createRemoteLoader(host, [remote], createAssets(remote.integrity));
  const loading = loadSlot({ ...slot, remote: remote.name });
  const onMessage = ({ source, data, ports: [port] }: MessageEvent<FrameStart>) => {
    if (source !== window.parent || !port) return;
    window.removeEventListener('message', onMessage);
    const send = (message: FrameMessage) => port.postMessage(JSON.stringify(message));
    document.documentElement.dataset['brand'] = data.brand;
    loading.then(
      (module) => mountInFrame({ site, slot, module, start: data, port, send }),
      (error: unknown) => send({ kind: 'error', phase: 'render', message: messageOf(error).slice(0, 2000) }),
    );
  };
  window.addEventListener('message', onMessage);
  window.parent.postMessage(HELLO, '*');
}
