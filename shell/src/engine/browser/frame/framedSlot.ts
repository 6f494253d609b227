import type { Call, SlotEnvironment, SlotState } from '@forecourt/slots';
import type { EventBus } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';
import { FRAMES_PATH } from '../../universal/paths.ts';
import { slotTitle } from '../../universal/slotElements.ts';
import type { BootFrame, BootSlot } from '../../universal/bootData.ts';
import { CallError } from '../call.ts';
import {
  HELLO,
  parseFrameMessage,
  type FrameMessage,
  type FrameStart,
  type PageMessage,
  type StateParts,
} from './protocol.ts';

export interface FramedSlotParts {
  readonly slot: BootSlot & { readonly frame: BootFrame };
  /** Contains the server's HTML until the frame is ready. */
  readonly element: HTMLElement;
  /** With the slot's permissions. */
  readonly environment: SlotEnvironment;
  readonly store: SlotStore;
  /** Types of all events of the site. */
  readonly siteEvents: readonly string[];
  /** Removes what is the visitor's own from the state that the frame gets. */
  readonly withoutPersonal: (state: SlotState) => SlotState;
  readonly refuse: EventBus['refuse'];
  readonly onReady: () => void;
  readonly onError: (phase: 'load' | 'render', error: Error) => void;
}

/** Then the server's HTML stays; ms. */
const READY_WITHIN_MS = 20_000;
/** Content that animates its height sends 60 a second. */
const MAX_MESSAGES_PER_SECOND = 200;
/** Calls in flight. */
const MAX_CALLS = 10;

function createFrame({ slot, frame, remote }: FramedSlotParts['slot']): HTMLIFrameElement {
  const iframe = document.createElement('iframe');
  // Without allow-same-origin: the origin is opaque, so the page, its cookies and its storage are out of reach.
  iframe.setAttribute('sandbox', 'allow-scripts');
  iframe.title = slotTitle(slot);
  iframe.src = [FRAMES_PATH, slot, remote, frame.version].join('/');
  // Browsers don't run animation frames of invisible frames, so it is transparent, above the server's HTML.
  iframe.style.cssText =
    'display:block;box-sizing:border-box;inline-size:100%;border:0;position:absolute;inset-block-start:0;inset-inline-start:0;opacity:0;pointer-events:none';
  iframe.inert = true;
  return iframe;
}

/** 'session' or, of a part whose members are needed one by one, 'shelf.books'. */
function partOf(state: SlotState, need: string): unknown {
  const [part = '', member] = need.split('.');
  const value = state[part as keyof SlotState] as unknown;
  return member === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[member];
}

/** A slot whose code runs in a frame, and its bridge to the page. Every message of the frame may be hostile. */
class FramedSlot {
  readonly #parts: FramedSlotParts;
  readonly #iframe: HTMLIFrameElement;
  readonly #served: readonly ChildNode[];
  readonly #calls = new Map<number, AbortController>();
  readonly #heard = new Set<string>();
  readonly #cleanups: (() => void)[] = [];
  #port: MessagePort | undefined;
  #sent: SlotState | undefined;
  #isReady = false;
  #received = { count: 0, since: 0 };

  constructor(parts: FramedSlotParts) {
    this.#parts = parts;
    this.#served = [...parts.element.childNodes];
    this.#iframe = createFrame(parts.slot);
    let loads = 0;
    this.#iframe.addEventListener('load', () => {
      loads += 1;
      if (loads > 1) this.#fail('the frame navigated');
    });
    const onMessage = (event: MessageEvent) => this.#greet(event);
    window.addEventListener('message', onMessage);
    const timer = setTimeout(() => {
      if (!this.#isReady) this.#fail(`the frame was not ready within ${READY_WITHIN_MS} ms`, 'load');
    }, READY_WITHIN_MS);
    this.#cleanups.push(
      () => window.removeEventListener('message', onMessage),
      () => clearTimeout(timer),
    );
    parts.element.style.position = 'relative';
    parts.element.append(this.#iframe);
  }

  /** Ends the frame and everything that it has started. */
  stop(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    for (const call of this.#calls.values()) call.abort();
    this.#calls.clear();
    this.#port?.close();
    this.#port = undefined;
    this.#iframe.remove();
  }

  /** Ends the frame; the server's HTML is shown again, still inert: the frame may have failed on purpose. */
  #fail(message: string, phase: 'load' | 'render' = 'render'): void {
    const { element, onError } = this.#parts;
    this.stop();
    element.replaceChildren(...this.#served);
    onError(phase, new Error(message));
  }

  /** Gives the frame's document its port, once. */
  #greet({ source, data }: MessageEvent): void {
    const target = this.#iframe.contentWindow;
    if (this.#port || !target || source !== target || data !== HELLO) return;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.addEventListener('message', (event) => this.#receive(event.data));
    port1.start();
    const { slot, store } = this.#parts;
    const start: FrameStart = {
      url: window.location.href,
      brand: document.documentElement.dataset['brand'] ?? '',
      parts: this.#changedParts(),
      isRendered: slot.rendered === 'release',
      data: slot.data,
    };
    // An opaque origin cannot be named as target.
    target.postMessage(start, '*', [port2]);
    this.#cleanups.push(
      store.subscribe(() => {
        const parts = this.#changedParts();
        if (Object.keys(parts).length > 0) this.#send({ kind: 'state', parts });
      }),
    );
  }

  /** What the slot reads and has changed since the last call, without the visitor's account. */
  #changedParts(): StateParts {
    const state = this.#parts.store.getState();
    const before = this.#sent;
    this.#sent = state;
    const shown = this.#parts.withoutPersonal(state);
    return Object.fromEntries(
      this.#parts.slot.frame.reads
        .filter((need) => !before || partOf(state, need) !== partOf(before, need))
        .map((need) => [need, partOf(shown, need)]),
    );
  }

  #send(message: PageMessage): void {
    this.#port?.postMessage(message);
  }

  #isFlooding(): boolean {
    const now = performance.now();
    if (now - this.#received.since > 1000) this.#received = { count: 0, since: now };
    this.#received.count += 1;
    return this.#received.count > MAX_MESSAGES_PER_SECOND;
  }

  #receive(data: unknown): void {
    if (!this.#port) return;
    if (this.#isFlooding()) return this.#fail('the frame sent too many messages');
    const message = parseFrameMessage(data, this.#parts.siteEvents);
    if (!message) return this.#fail('the frame sent an invalid message');
    return this.#handle(message);
  }

  #handle(message: FrameMessage): void {
    const { environment, onError } = this.#parts;
    switch (message.kind) {
      case 'ready':
        return this.#show();
      case 'size':
        return this.#resize(message.height);
      case 'emit':
        return environment.emit(message.type, message.payload as never);
      case 'listen':
        return this.#listen(message);
      case 'call':
        return void this.#call(message);
      case 'abort':
        return this.#calls.get(message.id)?.abort();
      case 'follow':
        return this.#follow(message);
      case 'error':
        if (message.phase === 'render') return this.#fail(message.message);
        return onError('load', new Error(message.message));
    }
  }

  #show(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const { onReady } = this.#parts;
    for (const node of this.#served) node.remove();
    Object.assign(this.#iframe.style, { position: 'static', opacity: '', pointerEvents: '' });
    this.#iframe.inert = false;
    onReady();
  }

  #resize(height: number): void {
    this.#iframe.style.blockSize = `${Math.min(height, this.#parts.slot.frame.maxHeight)}px`;
  }

  #listen({ type }: { readonly type: Parameters<SlotEnvironment['listen']>[0] }): void {
    if (this.#heard.has(type)) return;
    this.#heard.add(type);
    this.#cleanups.push(
      this.#parts.environment.listen(type, (payload) => this.#send({ kind: 'event', type, payload })),
    );
  }

  async #call({ id, name, params, body, idempotencyKey }: FrameMessage & { kind: 'call' }): Promise<void> {
    if (this.#calls.has(id) || this.#calls.size >= MAX_CALLS)
      return this.#send({ kind: 'failure', id, code: 'TOO_MANY_CALLS', status: 0 });
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      const value = await this.#parts.environment.call(name as Parameters<Call>[0], params, {
        body,
        signal: controller.signal,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      this.#send({ kind: 'result', id, value });
    } catch (error) {
      const { code, status } = error instanceof CallError ? error : { code: 'ABORTED', status: 0 };
      this.#send({ kind: 'failure', id, code, status });
    } finally {
      this.#calls.delete(id);
    }
  }

  /** As if the page contained the link. The visitor must have acted in the frame: it takes them nowhere by itself. */
  #follow({ url, isNewTab }: FrameMessage & { kind: 'follow' }): void {
    const { element, environment, refuse } = this.#parts;
    const target = URL.canParse(url, window.location.href) ? new URL(url, window.location.href) : undefined;
    const refused = (reason: string) => refuse({ type: 'frame.follow', sender: environment.slot, reason });
    if (target?.origin !== window.location.origin) return refused('a frame leads to pages of this site only');
    if (!navigator.userActivation.isActive || document.activeElement !== this.#iframe)
      return refused('the visitor has not followed a link');
    const link = document.createElement('a');
    Object.assign(link, { href: target.href, ...(isNewTab && { target: '_blank', rel: 'noopener' }) });
    element.append(link);
    link.click();
    return link.remove();
  }
}

/** Runs the slot's code in a frame. The server's HTML stays until the frame is ready, and comes back if it fails. */
export function mountFrame(parts: FramedSlotParts): { readonly unmount: () => void } {
  const framed = new FramedSlot(parts);
  return { unmount: () => framed.stop() };
}
