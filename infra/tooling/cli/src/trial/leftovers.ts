interface Listener {
  readonly target: EventTarget;
  readonly type: string;
  readonly callback: EventListenerOrEventListenerObject;
  readonly isCapture: boolean;
  readonly where: string;
}

const captureOf = (options: boolean | AddEventListenerOptions | undefined): boolean =>
  typeof options === 'object' ? options.capture === true : options === true;

/** The release's file in a stack, e.g. ', added in web/panel.js:1:2345'. */
function whereOf(stack: string | undefined): string {
  const [, file] = /\/remotes\/[^/]+\/[^/]+\/(\S+?:\d+:\d+)/.exec(stack ?? '') ?? [];
  return file === undefined ? '' : `, of ${file}`;
}

function nameOf(target: EventTarget): string {
  if (target === window) return 'window';
  return target instanceof Element ? `<${target.localName}>` : target.constructor.name;
}

/** Targets that outlive a slot, apart from the document and what is in it. */
const LASTING = ['MediaQueryList', 'VisualViewport', 'BroadcastChannel', 'ScreenOrientation', 'Navigation'];

const outlives = (target: EventTarget, element: Element): boolean =>
  target instanceof Node
    ? target.isConnected && !element.contains(target)
    : target === window || LASTING.includes(target.constructor.name);

type Start = (handler: unknown, ms?: number, ...more: unknown[]) => number;

/**
 * Notes the listeners and timers that are active. Whatever took hold of the page's own functions before, e.g. React's scheduler,
 * is not noticed.
 */
export class Leftovers {
  readonly #listeners: Listener[] = [];
  /** Description by kind and id. */
  readonly #timers = new Map<string, string>();
  #element: Element | undefined;
  /** Number of the slot that is watched. */
  #current = 0;
  /** Number of the slot whose timer runs: what that starts is its own. */
  #running: number | undefined;

  constructor() {
    this.#watchListeners();
    this.#watchStarts('setTimeout', 'timer', true);
    this.#watchStarts('setInterval', 'timer', false);
    this.#watchStarts('requestAnimationFrame', 'frame', true);
    this.#watchStarts('requestIdleCallback', 'idle', true);
    // Either stops both kinds of timers.
    this.#watchStops('clearTimeout', 'timer');
    this.#watchStops('clearInterval', 'timer');
    this.#watchStops('cancelAnimationFrame', 'frame');
    this.#watchStops('cancelIdleCallback', 'idle');
  }

  /** Begins to note what the slot in this element starts. */
  begin(element: Element): void {
    this.#element = element;
    this.#current += 1;
    this.#listeners.length = 0;
    this.#timers.clear();
  }

  /** Notes nothing until the next slot begins. */
  end(): void {
    this.#element = undefined;
  }

  /** 'a listener for resize on window' and so on: what is active now. */
  list(): readonly string[] {
    return [
      ...this.#listeners.map(
        ({ target, type, where }) => `a listener for ${type} on ${nameOf(target)}${where}`,
      ),
      ...this.#timers.values(),
    ];
  }

  #watchListeners(): void {
    const { prototype } = EventTarget;
    // oxlint-disable-next-line typescript/unbound-method -- called with their target
    const { addEventListener: add, removeEventListener: remove } = prototype;
    const listeners = this.#listeners;
    const find = (target: EventTarget, type: string, callback: unknown, isCapture: boolean) =>
      listeners.findIndex(
        (one) =>
          one.target === target &&
          one.type === type &&
          one.callback === callback &&
          one.isCapture === isCapture,
      );
    const drop = (...key: Parameters<typeof find>) => {
      const at = find(...key);
      if (at >= 0) listeners.splice(at, 1);
    };
    const note = (
      target: EventTarget,
      type: string,
      callback: EventListenerOrEventListenerObject,
      options: boolean | AddEventListenerOptions | undefined,
    ) => {
      const isCapture = captureOf(options);
      if (!this.#element || !outlives(target, this.#element)) return;
      if (find(target, type, callback, isCapture) >= 0) return;
      listeners.push({ target, type, callback, isCapture, where: whereOf(new Error().stack) });
      const { signal, once } = typeof options === 'object' ? options : {};
      if (signal) add.call(signal, 'abort', () => drop(target, type, callback, isCapture));
      if (once) add.call(target, type, () => drop(target, type, callback, isCapture), { once: true });
    };
    prototype.addEventListener = function addNoted(type, callback, options) {
      add.call(this, type, callback, options);
      if (callback) note(this ?? window, type, callback, options);
    };
    prototype.removeEventListener = function removeNoted(type, callback, options) {
      remove.call(this, type, callback, options);
      drop(this ?? window, type, callback, captureOf(options));
    };
  }

  #watchStarts(name: string, kind: string, runsOnce: boolean): void {
    const page = window as unknown as Record<string, Start>;
    const start = page[name];
    const timers = this.#timers;
    page[name] = (handler, ms, ...more) => {
      let key = '';
      const owner = this.#running ?? this.#current;
      const run = (...given: unknown[]): unknown => {
        if (runsOnce) timers.delete(key);
        this.#running = owner;
        try {
          return (handler as (...values: unknown[]) => unknown)(...given);
        } finally {
          this.#running = undefined;
        }
      };
      const id = start?.call(window, typeof handler === 'function' ? run : handler, ms, ...more) ?? 0;
      key = `${kind} ${id}`;
      const delay = typeof ms === 'number' ? ` of ${ms} ms` : '';
      if (this.#element && owner === this.#current)
        timers.set(key, name + delay + whereOf(new Error().stack));
      return id;
    };
  }

  #watchStops(name: string, kind: string): void {
    const page = window as unknown as Record<string, (id: unknown) => void>;
    const stop = page[name];
    page[name] = (id) => {
      this.#timers.delete(`${kind} ${String(id)}`);
      stop?.call(window, id);
    };
  }
}
