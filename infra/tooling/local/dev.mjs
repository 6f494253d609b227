import { enter } from './src/bootstrap.mjs';

await enter('dev');
