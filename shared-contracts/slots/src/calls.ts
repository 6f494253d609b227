export type { CallName, CallParams, CallResponse } from './register.ts';
