/** Leaves a value in the asynchronous context, and looks for it in the renders of other visitors. */
export const stoppedBy = 'loader';
export const outcome = 'contained';

export async function attack({ builtin }) {
  const { AsyncLocalStorage } = await builtin('async_hooks');
  globalThis.hostileStorage ??= new AsyncLocalStorage();
  const left = globalThis.hostileStorage.getStore();
  globalThis.hostileStorage.enterWith('left by another visitor');
  return left ?? '';
}
