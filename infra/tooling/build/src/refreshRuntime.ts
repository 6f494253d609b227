import {
  createSignatureFunctionForTransform as sign,
  injectIntoGlobalHook,
  performReactRefresh,
  register,
} from 'react-refresh/runtime';

// First in the shell's development build: React looks for the hook when it is evaluated.
injectIntoGlobalHook(window);

const contexts = new Map<string, unknown>();

/** React Refresh for remotes, whose builds all use the one React of the page. */
Object.assign(globalThis, {
  forecourtRefresh: {
    register,
    performReactRefresh,
    sign,
    /** Contexts of one source file, by their place in it: each build of a remote gets the same ones. */
    contextsIn:
      (file: string) => (place: number, create: (initial: unknown) => unknown) => (initial: unknown) => {
        const id = `${file} ${place}`;
        if (!contexts.has(id)) contexts.set(id, create(initial));
        return contexts.get(id);
      },
    /** Registers components of one source file. */
    registerIn: (file: string) => (type: unknown, name: string) => register(type, `${file} ${name}`),
  },
});
