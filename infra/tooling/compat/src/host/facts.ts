import { z } from 'zod';

const schema = z.record(z.string(), z.unknown());

/** What a tree's shell provides, and what its contracts say: everything that can be known without a remote. */
export const treeFactsSchema = z.object({
  contract: z.string(),
  /** Shared module to version. */
  shared: z.record(z.string(), z.string()),
  /** Shared module of the contracts to the names it exports. */
  exports: z.record(z.string(), z.array(z.string())),
  /** Names that a slot may put into `needs`. */
  stateKeys: z.array(z.string()),
  sessionKeys: z.array(z.string()),
  /** Remote to the slots that the page places in it. */
  placed: z.record(z.string(), z.array(z.string())),
  /** Name of each schema of the upstream's entities and of each call's answer to its JSON Schema. */
  schemas: z.record(z.string(), schema),
  events: z.array(z.string()),
  /** Event to its fields by path; without those that cannot be read. */
  eventFields: z.record(
    z.string(),
    z.record(z.string(), z.object({ expected: z.string(), isRequired: z.boolean() })),
  ),
});
export type TreeFacts = z.infer<typeof treeFactsSchema>;

/** How one slot of one release did over one page of the host. */
export const renderSchema = z.object({
  slot: z.string(),
  context: z.string(),
  /** What went wrong; absent when it rendered. */
  problem: z.string().optional(),
});
export type Render = z.infer<typeof renderSchema>;

export const hostAnswerSchema = z.object({
  facts: treeFactsSchema,
  /** Remote to its guest release's renders; a problem that the host's own release has, too, is left out. */
  renders: z.record(z.string(), z.array(renderSchema)),
});
export type HostAnswer = z.infer<typeof hostAnswerSchema>;

/** What a host process is asked for, as JSON in its first argument. */
export const hostRequestSchema = z.object({
  root: z.string(),
  /** File for the answer: a remote may write to stdout. */
  answer: z.string(),
  remotes: z.array(
    z.object({
      name: z.string(),
      /** Folders with a built release: of the other tree, and of the host's own. */
      guest: z.string(),
      own: z.string().optional(),
    }),
  ),
});
export type HostRequest = z.infer<typeof hostRequestSchema>;
