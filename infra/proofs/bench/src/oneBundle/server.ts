import { createServer } from 'node:http';
import { join } from 'node:path';
import { CALLS } from '@forecourt/upstream/calls';
import { pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import leadWidget from '../../../../../mfe-leads/src/slots/lead-widget.tsx';
import modelReference from '../../../../../mfe-model-reference/src/slots/model-reference.tsx';
import footerAd from '../../../../../mfe-results/src/slots/footer-ad.tsx';
import { createApp } from '../../../../../shell/src/marketplace/app.ts';
import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import { readConfig } from '../../../../../shell/src/marketplace/config.ts';
import { createGateway } from '../../../../../shell/src/engine/gateway/gateway.ts';
import { createGatewayMetrics } from '../../../../../shell/src/engine/gateway/gatewayMetrics.ts';
import { readShellAssets } from '../../../../../shell/src/engine/compose/shellAssets.ts';
import { createInlineRenderer } from '../../../../../shell/src/engine/rendering/inline.ts';
import { keepSlugReference } from '../../../../../shell/src/marketplace/urls/slugReference.ts';
import { SITE_PLAN } from '../../../../../shell/src/marketplace/site.ts';
import { FIRST_VIEW_SLOTS, type SlotTable } from './slots.ts';

// The shell's app with all slots linked in and no releases: the page as one bundle.
const config = readConfig(process.env);
const logger = pino({ level: config.LOG_LEVEL, base: { service: 'one-bundle' } });
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });
const gateway = createGateway({
  baseUrl: config.MARKETPLACE_API_URL,
  calls: CALLS,
  metrics: createGatewayMetrics(metrics),
  log: (event) => logger.warn(event, 'call failed'),
});
const reference = keepSlugReference(gateway);
const app = createApp(
  {
    gateway,
    reference,
    releases: { live: () => new Map(), find: () => undefined },
    archive: { file: () => Promise.resolve(undefined) },
    renderer: createInlineRenderer(SITE_PLAN),
    ownSlots: {
      ...FIRST_VIEW_SLOTS,
      'model-reference': modelReference,
      'lead-widget': leadWidget,
      'footer-ad': footerAd,
    } as unknown as SlotTable,
    assets: readShellAssets(join(__dirname, '..'), SITE_PLAN),
    failureClaims: { sign: () => '', read: () => ({ refusal: 'unsigned' }) },
    limits: createRateLimits(),
    metrics,
    logger,
    clock: () => new Date(),
  },
  config,
);
void reference.start().then(() => createServer(app).listen(config.PORT, config.HOST));
