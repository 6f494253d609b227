import {
  createSignatureFunctionForTransform as sign,
  injectIntoGlobalHook,
  performReactRefresh,
  register,
} from 'react-refresh/runtime';

// First in the shell's development build: React looks for the hook when it is evaluated.
injectIntoGlobalHook(window);

/** React Refresh for remotes, whose builds all use the one React of the page. */
Object.assign(globalThis, {
  forecourtRefresh: {
    register,
    performReactRefresh,
    sign,
    /** Registers components of one source file. */
    registerIn: (file: string) => (type: unknown, name: string) => register(type, `${file} ${name}`),
  },
});
