/** Prints a letter at a time, for ever. */
export const stoppedBy = 'limits';
export const outcome = 'any';

export function attack() {
  setInterval(() => console.log('x'), 2);
  return '';
}
