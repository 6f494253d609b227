import type { Request } from 'express';
import { z } from 'zod';

/** Message of a failure, truncated for the log. */
const logged = z.string().transform((text) => text.slice(0, 500));

const use = z.number().nonnegative().max(1_000_000);

/** Bounds every field that is logged, counted or forwarded; other fields are dropped. */
export const EVENT_FIELDS = {
  type: z.string().max(60),
  name: z.string().max(200),
  phase: z.string().max(20).optional(),
  sender: z.string().max(60).optional(),
  /** 'mfe-results@1.4.0' */
  release: z.string().max(110).optional(),
  slot: z.string().max(60).optional(),
  message: logged.optional(),
  reason: logged.optional(),
  value: z.number().nonnegative().max(3_600_000).optional(),
  /** What a slot has done since its page began. */
  use: z.object({ events: use, calls: use, elements: use, busyMs: use, seconds: use }).optional(),
};

/** An event that a browser has reported. */
export type PageEvent = z.infer<z.ZodObject<typeof EVENT_FIELDS>> & Readonly<Record<string, unknown>>;

/** What a batch of events says about its page. */
export interface PageReport {
  /** Path and query. */
  readonly page: string;
  readonly events: readonly PageEvent[];
}

/** What a site adds to the events of browsers. */
export interface SitePageEvents {
  /** Further fields of events, each with its bounds. */
  readonly fields: z.ZodRawShape;
  /** Further event types that are counted by name. */
  readonly types: readonly string[];
  /** Receives each accepted batch. */
  readonly receive: (request: Request, report: PageReport) => void;
}
