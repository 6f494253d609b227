/** Looks for Node's internal bindings. */
export const stoppedBy = 'loader';
export const outcome = 'contained';

export async function attack({ realProcess, builtin }) {
  const { createRequire } = await builtin('module');
  const require = createRequire('/');
  const { internalBinding, _linkedBinding } = await realProcess();
  const ways = [
    () => internalBinding('fs'),
    () => globalThis.internalBinding('fs'),
    () => _linkedBinding('fs'),
    () => require(['internal', 'test', 'binding'].join('/')).internalBinding('fs'),
    () => new Function('return internalBinding("fs")')(),
  ];
  const obtained = ways.flatMap((way) => {
    try {
      return Object.keys(way()).slice(0, 3);
    } catch {
      return [];
    }
  });
  return obtained.join();
}
