import { Counter, type Registry } from 'prom-client';
import type { IssuerErrorCode } from './issuer.ts';

export interface AccountMetrics {
  /** Counts how a sign-in ended. */
  readonly count: (outcome: IssuerErrorCode | 'OK' | 'EXPIRED') => void;
}

export function createAccountMetrics(registry: Registry): AccountMetrics {
  const signIns = new Counter({
    name: 'forecourt_sign_ins_total',
    help: 'Sign-ins through the issuer, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return { count: (outcome) => signIns.inc({ outcome }) };
}
