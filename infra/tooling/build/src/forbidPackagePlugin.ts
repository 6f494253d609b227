import type { Compiler, Compilation, Module, WebpackPluginInstance } from 'webpack';

/** The first module outside the package through which `module` came into the build. */
function importerOf(module: Module, isForbidden: (module: Module) => boolean, { moduleGraph }: Compilation) {
  let importer = moduleGraph.getIssuer(module);
  while (importer && isForbidden(importer)) importer = moduleGraph.getIssuer(importer);
  return importer?.nameForCondition() ?? 'the entry';
}

/** Fails a build of which any chunk contains a module of the package `name`. Unused imports are not in chunks. */
export class ForbidPackagePlugin implements WebpackPluginInstance {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  apply(compiler: Compiler): void {
    const name = this.#name;
    const isForbidden = (module: Module) =>
      module.nameForCondition()?.replaceAll('\\', '/').includes(`/node_modules/${name}/`) ?? false;
    compiler.hooks.compilation.tap('ForbidPackagePlugin', (compilation) => {
      compilation.hooks.afterChunks.tap('ForbidPackagePlugin', () => {
        const { chunkGraph, errors, modules } = compilation;
        const found = [...modules].find(
          (module) => isForbidden(module) && chunkGraph.getNumberOfModuleChunks(module) > 0,
        );
        if (!found) return;
        const importer = importerOf(found, isForbidden, compilation);
        const message = `this build must not contain ${name}, which ${importer} imports`;
        errors.push(new compiler.webpack.WebpackError(message));
      });
    });
  }
}
