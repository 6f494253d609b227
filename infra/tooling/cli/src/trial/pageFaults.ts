import type { TrialFault } from './trialTask.ts';

const MAX_LENGTH = 300;
/** How React's production build names its errors. */
const MINIFIED = /Minified React error #(\d+); visit .*$/s;

const textOf = (value: unknown): string =>
  value instanceof Error ? value.message : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** What a page reports by itself: exceptions that nothing caught, errors of the console, files that don't load, violations of its policy. */
export class PageFaults {
  #faults: TrialFault[] = [];

  constructor() {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      this.add('policy', `${violatedDirective} refuses ${blockedURI || sample}`),
    );
    addEventListener(
      'error',
      ({ message, target }) => {
        const { src, href } = target as { src?: string; href?: string };
        // An element without either was refused by the policy.
        if (message || src || href) this.add('error', message || `cannot load ${src ?? href}`);
      },
      true,
    );
    addEventListener('unhandledrejection', ({ reason }) => {
      // A call that was given up, as in pages.
      if ((reason as { name?: unknown } | undefined)?.name !== 'AbortError') this.add('error', reason);
    });
    // oxlint-disable-next-line no-console -- what is written to it is the fault
    console.error = (...values: readonly unknown[]) => this.add('error', values.map(textOf).join(' '));
  }

  add(kind: TrialFault['kind'], value: unknown): void {
    const message = textOf(value).replace(MINIFIED, 'React error #$1: https://react.dev/errors/$1');
    this.#faults.push({ kind, message: message.slice(0, MAX_LENGTH) });
  }

  get count(): number {
    return this.#faults.length;
  }

  /** Those since the last call. */
  take(): TrialFault[] {
    return this.#faults.splice(0);
  }
}
