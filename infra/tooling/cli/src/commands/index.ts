import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { gate } from './gate.ts';
import { gc } from './gc.ts';
import { override } from './override.ts';
import { canary, history, promote, rollback } from './pointers.ts';
import { publish } from './publish.ts';
import { list, show } from './releases.ts';
import { serve } from './serve.ts';

/** Every command by its name on the command line; `USAGE` describes them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  publish,
  gate,
  list,
  show,
  canary,
  promote,
  rollback,
  history,
  override,
  serve,
  gc,
  doctor,
};
