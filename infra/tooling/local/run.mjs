import { enter } from './src/bootstrap.mjs';

// `node run.mjs start|test|dev [ARGUMENTS]`; the command itself reads only its arguments.
const [command] = process.argv.splice(2, 1);
await enter(command);
