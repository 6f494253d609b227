import { setTimeout as wait } from 'node:timers/promises';

/** Ends pauses early. */
export class Alarm {
  private isRung = false;
  private stop: (() => void) | undefined;

  /** Ends the present pause, or the next one. */
  ring(): void {
    this.isRung = true;
    this.stop?.();
  }

  /** Pauses until the alarm rings or the signal is aborted; `ms` at most. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isRung) {
      const rung = new AbortController();
      this.stop = () => rung.abort();
      await wait(ms, undefined, { signal: AbortSignal.any([signal, rung.signal]) }).catch(() => undefined);
    }
    this.isRung = false;
  }
}
