import vm from 'node:vm';
import type { SharedModules } from './shareScope.ts';

/** The path that a relative specifier leads to from the folder of `referrer`; undefined outside of all folders. */
function joinPath(referrer: string, specifier: string): string | undefined {
  const parts = referrer.split('/').slice(0, -1);
  for (const part of specifier.split('/'))
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  return parts.join('/');
}

/** What a module that is no ES module gives to one that imports it. */
function wrap(module: object, identifier: string, context: vm.Context | undefined): vm.Module {
  const names = new Set([...Object.keys(module), 'default']);
  const value = (name: string): unknown =>
    name === 'default' && !('default' in module) ? module : (module as Record<string, unknown>)[name];
  return new vm.SyntheticModule(
    [...names],
    function evaluate(this: vm.SyntheticModule) {
      for (const name of names) this.setExport(name, value(name));
    },
    { identifier, ...(context && { context }) },
  );
}

/**
 * The ES modules of a release, linked from its own files and shared modules and from nothing else. Node needs
 * `--experimental-vm-modules`.
 */
export class ModuleGraph {
  readonly #sources: ReadonlyMap<string, string>;
  readonly #shared: SharedModules;
  readonly #context: vm.Context | undefined;
  /** Base URL of the files, e.g. 'file:///mfe-results@1.0.0/'. */
  readonly #base: string;
  readonly #modules = new Map<string, vm.Module>();
  readonly #evaluated = new Map<vm.Module, Promise<void>>();
  /** One graph at a time: two would link a module that both have. */
  #linking: Promise<unknown> = Promise.resolve();

  constructor(
    sources: ReadonlyMap<string, string>,
    options: {
      readonly base: string;
      readonly shared: SharedModules;
      readonly context?: vm.Context | undefined;
    },
  ) {
    this.#sources = sources;
    this.#shared = options.shared;
    this.#context = options.context;
    this.#base = options.base;
  }

  /** Imports a module by its path or URL, or relative to the file `referrer`. */
  async import(specifier: string, referrer = ''): Promise<vm.Module> {
    const module = this.#find(specifier, referrer);
    const linked = this.#linking.then(() =>
      module.status === 'unlinked'
        ? module.link((request, { identifier }) => this.#find(request, identifier))
        : undefined,
    );
    this.#linking = linked.catch(() => undefined);
    await linked;
    const evaluated = this.#evaluated.get(module) ?? module.evaluate();
    this.#evaluated.set(module, evaluated);
    await evaluated;
    return module;
  }

  #find(specifier: string, referrer: string): vm.Module {
    const path = this.#pathOf(specifier, referrer);
    const known = this.#modules.get(path ?? specifier);
    if (known) return known;
    const module = this.#create(specifier, path, referrer);
    this.#modules.set(path ?? specifier, module);
    return module;
  }

  #pathOf(specifier: string, referrer: string): string | undefined {
    if (specifier.startsWith(this.#base)) return specifier.slice(this.#base.length);
    if (/^\.{1,2}\//.test(specifier)) return joinPath(referrer, specifier);
    return referrer === '' ? specifier : undefined;
  }

  #create(specifier: string, path: string | undefined, referrer: string): vm.Module {
    const shared = Object.hasOwn(this.#shared, specifier) ? this.#shared[specifier] : undefined;
    if (path === undefined && shared) return wrap(shared.module, specifier, this.#context);
    const source = path === undefined ? undefined : this.#sources.get(path);
    if (path === undefined || source === undefined)
      throw new Error(
        `${referrer || 'the release'} imports '${specifier}', which is neither a file of the release nor shared`,
      );
    return new vm.SourceTextModule(source, {
      identifier: path,
      ...(this.#context && { context: this.#context }),
      initializeImportMeta: (meta) => void Object.assign(meta, { url: this.#base + path }),
      importModuleDynamically: (request) => this.import(request, path),
    });
  }
}
