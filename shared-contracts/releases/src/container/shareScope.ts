/** A module that releases share with the page: one instance and one version of it. */
export interface SharedModule {
  readonly version: string;
  readonly module: object;
}
export type SharedModules = Readonly<Record<string, SharedModule>>;

export type ShareScope = Readonly<Record<string, object>>;

/**
 * A new Module Federation share scope, as containers of webpack and those of the federation runtime expect it: a container may
 * write into it. `onTaken` is called with the name of each module that a container takes.
 */
export const createShareScope = (
  modules: SharedModules,
  { from, onTaken }: { readonly from: string; readonly onTaken?: (name: string) => void },
): ShareScope =>
  Object.fromEntries(
    Object.entries(modules).map(([name, { version, module }]) => {
      const factory = () => {
        onTaken?.(name);
        return module;
      };
      const shared = {
        version,
        get: () => Promise.resolve(factory),
        lib: factory,
        loaded: 1,
        eager: true,
        from,
        // What the federation runtime adds to each shared module.
        scope: ['default'],
        shareConfig: { singleton: true, eager: true, strictVersion: true, requiredVersion: false },
        strategy: 'loaded-first',
        useIn: [],
        deps: [],
      };
      return [name, { [version]: shared }];
    }),
  );
