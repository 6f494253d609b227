import { sitePaths } from '../universal/paths.ts';
import type { Site } from '../site.ts';
import { Counter, type Registry } from 'prom-client';
import express, { Router, type RequestHandler } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import { z } from 'zod';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { createMinuteBudget, limitWrites } from './clientLimits.ts';
import { contextOf } from './requestContext.ts';

/** Reports of one request; browsers batch a few. */
const MAX_REPORTS = 20;
/** Lines that all visitors together may write to the log per minute. */
const LOGGED_PER_MINUTE = 30;

/** A URL without query and fragment, which could hold what a visitor searched for; or a keyword such as 'inline'. */
const place = z
  .string()
  .catch('')
  .transform((text) => text.replace(/[?#].*$/s, '').slice(0, 200));
const line = z.number().int().nonnegative().optional().catch(undefined);

/** One violation, in the fields of the Reporting API; nothing else of a report is read. */
const violationSchema = z.object({
  effectiveDirective: z.string().max(60),
  blockedURL: place,
  sourceFile: place,
  documentURL: place,
  lineNumber: line,
});
type Violation = z.infer<typeof violationSchema>;

/** Both formats of browsers: the Reporting API's batches (`report-to`) and single reports (`report-uri`). */
const reportsSchema = z.union([
  z
    .array(z.object({ type: z.string(), body: z.unknown() }))
    .max(MAX_REPORTS)
    .transform((reports) => reports.filter(({ type }) => type === 'csp-violation').map(({ body }) => body)),
  z.object({ 'csp-report': z.record(z.string(), z.unknown()) }).transform(({ 'csp-report': report }) => [
    {
      effectiveDirective: report['effective-directive'] ?? report['violated-directive'],
      blockedURL: report['blocked-uri'],
      sourceFile: report['source-file'],
      documentURL: report['document-uri'],
      lineNumber: report['line-number'],
    },
  ]),
]);

function violationsOf(body: unknown): readonly Violation[] | undefined {
  const reports = reportsSchema.safeParse(body);
  if (!reports.success) return undefined;
  return reports.data.flatMap((report) => violationSchema.safeParse(report).data ?? []);
}

const reportBody: RequestHandler = express.json({
  limit: '32kb',
  type: ['application/reports+json', 'application/csp-report'],
});

/**
 * `POST {root}/svc/policy-report`: violations of the Content Security Policy. They are counted by directive, and
 * logged without queries up to a budget, because anyone can send them. Browsers send them without an origin.
 */
export function policyReports({
  site,
  logger,
  clock,
  metrics,
  limits,
}: {
  readonly site: Pick<Site, 'root'>;
  readonly logger: Logger;
  readonly clock: () => Date;
  readonly metrics: Registry;
  readonly limits: RateLimits;
}): Router {
  const counter = new Counter({
    name: 'forecourt_policy_violations_total',
    help: 'Violations of the Content Security Policy that browsers reported, by directive',
    labelNames: ['directive'],
    registers: [metrics],
  });
  const isWithinBudget = createMinuteBudget(clock, LOGGED_PER_MINUTE);
  const report: RequestHandler = (request, response) => {
    const violations = violationsOf(request.body);
    response.status(violations ? 204 : 400).end();
    for (const violation of violations ?? []) {
      const directive = /^[a-z-]+-src(?:-elem|-attr)?$|^trusted-types$|^require-trusted-types-for$/.test(
        violation.effectiveDirective,
      )
        ? violation.effectiveDirective
        : 'other';
      counter.inc({ directive });
      if (isWithinBudget())
        logger.warn(
          {
            requestId: contextOf(request).requestId,
            violation: { ...violation, effectiveDirective: directive },
          },
          'the Content Security Policy was violated',
        );
    }
  };
  return Router().post(
    sitePaths(site.root).policyReport,
    limitWrites(limits, 'policyReports'),
    reportBody,
    report,
  );
}
