import { z } from 'zod';

const lockfileSchema = z.looseObject({ packages: z.record(z.string(), z.unknown()) });

/** Fields of a workspace's package.json that npm repeats in the lockfile. */
const workspaceSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

/**
 * A lockfile, the repository's or that of node_modules, with a new workspace
 * as npm itself would write it. Its dependencies must be there already, as
 * those of every remote are: nothing is fetched.
 */
export function addWorkspace(lockJson: string, folder: string, packageJson: string): string {
  const lockfile: unknown = JSON.parse(lockJson);
  const known = lockfileSchema.parse(lockfile);
  const { name, version, license, dependencies, devDependencies } = workspaceSchema.parse(
    JSON.parse(packageJson),
  );
  const packages = {
    ...known.packages,
    [folder]: { name, version, license, dependencies, devDependencies },
    [`node_modules/${name}`]: { resolved: folder, link: true },
  };
  const sorted = Object.fromEntries(
    Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
  // The order of npm's own keys stays: the difference is the workspace alone.
  return `${JSON.stringify({ ...(lockfile as object), packages: sorted }, null, 2)}\n`;
}
