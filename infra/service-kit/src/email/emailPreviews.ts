import escapeHtml from 'escape-html';
import { Router } from 'express';
import type { RenderedEmail } from './renderEmail.ts';

/** An email with made-up content. */
export type EmailSample = RenderedEmail & { readonly subject: string };

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 80rem; }
section > div { display: flex; flex-wrap: wrap; gap: 1rem; }
iframe { flex: 1 1 24rem; height: 32rem; border: 1px solid; }
iframe.light { color-scheme: light; }
iframe.dark { color-scheme: dark; }
pre { flex: 1 1 24rem; margin: 0; padding: 0.75rem; border: 1px solid; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const pageOf = (samples: ReadonlyMap<string, EmailSample>): string => {
  const sections = [...samples].map(([name, { subject, text }]) => {
    const frames = ['light', 'dark'].map(
      (scheme) =>
        `<iframe class="${scheme}" title="${escapeHtml(subject)}, ${scheme}" src="emails/${encodeURIComponent(name)}"></iframe>`,
    );
    return `<section><h2>${escapeHtml(subject)}</h2><div>${frames.join('')}<pre>${escapeHtml(text)}</pre></div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Emails</title><style>${STYLE}</style><h1>Emails</h1>${sections.join('')}</html>`;
};

/** For local mode: `GET /emails` shows each email in light and dark colors and as text. Nothing on it runs or loads. */
export function emailPreviews(makeSamples: () => Readonly<Record<string, EmailSample>>): Router {
  let made: ReadonlyMap<string, EmailSample> | undefined;
  const samples = (): ReadonlyMap<string, EmailSample> => (made ??= new Map(Object.entries(makeSamples())));
  const router = Router();
  router.get('/emails', (_request, response) => {
    response
      .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'")
      .type('html')
      .send(pageOf(samples()));
  });
  router.get('/emails/:name', (request, response, next) => {
    const sample = samples().get(request.params.name);
    if (!sample) return next();
    return response
      .set(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox",
      )
      .set('X-Frame-Options', 'SAMEORIGIN')
      .type('html')
      .send(sample.html);
  });
  return router;
}
