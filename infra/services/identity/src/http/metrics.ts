import type { RequestHandler } from 'express';
import { Counter, Histogram, Registry } from 'prom-client';

type CredentialOutcome = 'accepted' | 'refused' | 'invalid' | 'limited';

type CredentialFormName = 'sign-in' | 'sign-up' | 'confirm' | 'forgot' | 'reset' | 'change-password';

export interface Metrics {
  readonly registry: Registry;
  readonly timeRequests: RequestHandler;
  /** Counts a form by its outcome. */
  readonly count: (form: CredentialFormName, outcome: CredentialOutcome) => void;
}

/** Each app has its own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'identity_http_request_duration_seconds',
    help: 'Duration of HTTP requests, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const forms = new Counter({
    name: 'identity_credential_forms_total',
    help: 'Account forms, by outcome.',
    labelNames: ['form', 'outcome'] as const,
    registers: [registry],
  });
  return {
    registry,
    timeRequests(request, response, next) {
      const stop = durations.startTimer({ method: request.method });
      response.once('close', () => {
        const { path } = (request.route ?? {}) as { path?: string };
        stop({ route: path ?? 'protocol', status: String(response.statusCode) });
      });
      next();
    },
    count: (form, outcome) => forms.inc({ form, outcome }),
  };
}
