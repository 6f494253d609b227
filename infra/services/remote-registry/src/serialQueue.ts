/** Runs jobs one after another; a failed job does not block the next. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(job, job);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}
