import { z } from 'zod';

/** Why a release may not become live; each code is stable, the troubleshooting page lists them. */
export const GATE_RULES = [
  /** A shared module is not provided, or in another version. */
  'SHARED_RANGE',
  /** Built for another major of the contract, or a newer one than the shell's. */
  'CONTRACT_VERSION',
  /** It lacks a slot that the page places in this remote. */
  'SLOT_MISSING',
  /** The manifest names a file that is not there, or on the wrong side. */
  'FILE_MISSING',
  /** It costs a visitor more bytes than agreed. */
  'SIZE_BUDGET',
  /** Its files cannot be had, or are not those that were published. */
  'FILES_UNUSABLE',
  /** Its code does not run, or exposes no slot module. */
  'MODULE_LOAD',
  /** A timer or handle of its modules goes on after they have been loaded. */
  'LEFT_RUNNING',
  /** A slot cannot render one of the recorded pages. */
  'SLOT_RENDER',
] as const;
export type GateRule = (typeof GATE_RULES)[number];

/** One reason why a release is refused, for people and programs. */
export const refusalSchema = z.object({
  rule: z.enum(GATE_RULES),
  expected: z.string(),
  found: z.string(),
  /** What to do. */
  remedy: z.string(),
});
export type Refusal = z.infer<typeof refusalSchema>;

/** 'SHARED_RANGE: expected …, found …; …', one line. */
export const describeRefusal = ({ rule, expected, found, remedy }: Refusal): string =>
  `${rule}: expected ${expected}, found ${found}; ${remedy}`;
