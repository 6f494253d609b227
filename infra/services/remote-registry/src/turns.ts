/** Lets jobs of one kind run one after the other; a failed job does not hold up the next. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(job, job);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
