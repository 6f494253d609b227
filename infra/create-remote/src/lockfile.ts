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
  const lockfile = lockfileSchema.parse(JSON.parse(lockJson));
  const { name, version, license, dependencies, devDependencies } = workspaceSchema.parse(
    JSON.parse(packageJson),
  );
  const packages = {
    ...lockfile.packages,
    [folder]: { name, version, license, dependencies, devDependencies },
    [`node_modules/${name}`]: { resolved: folder, link: true },
  };
  const sorted = Object.fromEntries(
    Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, 'en')),
  );
  return `${JSON.stringify({ ...lockfile, packages: sorted }, null, 2)}\n`;
}
