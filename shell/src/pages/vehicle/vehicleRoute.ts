import type { RequestHandler } from 'express';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { toApiQuery, toSimilarQuery } from '@forecourt/shared-contracts/query';
import { formatNumber, formatPrice } from '@forecourt/shared-contracts/rules';
import { CallFailure } from '../../gateway/callFailure.ts';
import { carOf } from '../../seo/structuredData.ts';
import type { ShellDeps } from '../../server/deps.ts';
import { readPaymentChoice } from '../payment.ts';
import { pageRoute, type PageContext } from '../pageRoute.ts';
import { placeOf } from '../vehicleWords.ts';
import { SEARCH_PARAM, searchBefore } from './backLink.ts';
import { featureNames } from './featureNames.ts';
import { resultsInstead } from './goneVehicle.ts';
import { comparableCriteria, marketPosition } from './market.ts';
import { vehicleView } from './vehicleView.ts';

/** Similar vehicles below a vehicle's page: two rows of the widest layout. */
const SIMILAR_SHOWN = 8;

const descriptionOf = (listing: Listing, owner: Owner): string =>
  [
    `${listing.title} for ${formatPrice(listing.pricingDetail.derivedPrice)}`,
    listing.mileage && `${formatNumber(listing.mileage.value)} miles`,
    placeOf(owner),
    `sold by ${owner.ownerName}`,
  ]
    .filter(Boolean)
    .join(', ');

/** `GET /cars-for-sale/vehicle/{listingId}`: one vehicle (A2-ROUTE-08). Only its own call can fail the page. */
export function vehicleRoute(deps: ShellDeps): RequestHandler {
  const { gateway, reference } = deps;

  async function around(listing: Listing, owner: Owner, { info, call }: PageContext) {
    const { brand } = info.visitor.session;
    const comparable = comparableCriteria(listing);
    const near = owner.location?.address.zip;
    const wishes = {
      ...comparable,
      filters: {
        makeCode: [listing.makeCode],
        modelCode: [listing.modelCode],
        vehicleStyleCode: [...listing.vehicleStyleCodes],
        ...(near ? { zip: [near], searchRadius: ['100'] } : {}),
      },
    };
    const preview = toApiQuery(comparable, { brand });
    preview.set('numRecords', '1');
    const [similar, market] = await Promise.all([
      gateway.call('similar', toSimilarQuery(wishes, { brand, shownIds: [listing.id] }), call),
      gateway.call('filterPreview', preview, call).catch((error: unknown) => {
        // The gateway has logged it; a page without its comparison is still a page.
        if (error instanceof CallFailure && error.code !== 'CANCELLED') return undefined;
        throw error;
      }),
    ]);
    return { similar, market };
  }

  /** For the visitor's history, from which alerts come; a failure is the gateway's to tell. */
  function recordView(listingId: string, { info, call }: PageContext): void {
    const { isBot, brand } = info.visitor.session;
    if (isBot || !call.consumerId) return;
    const { signal: _, ...context } = call;
    void gateway.call('recordView', {}, { ...context, body: { listingId, brand } });
  }

  return pageRoute(deps, async (request, context) => {
    const { origin, query, stateOf, info, call } = context;
    const before = searchBefore(
      { parameter: query.get(SEARCH_PARAM), referrer: request.headers.referer },
      origin,
      reference.current(),
    );
    const id = String(request.params['id']);
    let found: { listing: Listing; owner: Owner };
    try {
      found = await gateway.call('listing', { id }, call);
    } catch (error) {
      // An id that the upstream refuses is one that nobody sells (any more).
      if (!(error instanceof CallFailure && error.code === 'REFUSED')) throw error;
      const model = await gateway.call('vehicleModel', { id }, call);
      return { kind: 'redirect', status: 301, to: resultsInstead(model, before, reference.current()) };
    }
    const { listing, owner } = found;
    recordView(listing.id, context);
    const { similar, market } = await around(listing, owner, context);
    const { session } = info.visitor;
    const { derivedPrice } = listing.pricingDetail;
    const path = `/cars-for-sale/vehicle/${encodeURIComponent(listing.id)}`;
    const shown = similar.listings.filter((each) => each.id !== listing.id).slice(0, SIMILAR_SHOWN);
    const modelUrl = encodeUrl(
      {
        ...comparableCriteria(listing),
        filters: { makeCode: [listing.makeCode], modelCode: [listing.modelCode] },
      },
      reference.current(),
    );
    const car = carOf(listing, owner, origin);
    return {
      kind: 'page',
      page: {
        title: listing.title,
        description: descriptionOf(listing, owner),
        canonical: path,
        isIndexed: true,
        current: before ? `${path}?${new URLSearchParams({ [SEARCH_PARAM]: before.url })}` : path,
        heroImage: listing.images.sources[0]?.src,
        structuredData: {
          '@context': 'https://schema.org',
          '@graph': [
            car,
            {
              '@type': 'BreadcrumbList',
              itemListElement: [
                {
                  '@type': 'ListItem',
                  position: 1,
                  name: `${listing.make.name} ${listing.model.name}`,
                  item: origin + modelUrl,
                },
                { '@type': 'ListItem', position: 2, name: listing.title, item: origin + path },
              ],
            },
          ],
        },
        body: vehicleView({
          listing,
          owner,
          similar: { listings: shown, owners: similar.owners },
          market: marketPosition(derivedPrice, market),
          featureName: featureNames(market?.filters),
          payment: derivedPrice === undefined ? undefined : readPaymentChoice(query, derivedPrice),
          backTo: before?.url,
          path,
          modelUrl,
          offers: {
            save: session.flags['saveListing'] === true,
            report: session.flags['reportListing'] === true && BRANDS[session.brand].hasShareAndReport,
            share: BRANDS[session.brand].hasShareAndReport,
          },
        }),
        state: stateOf({
          url: path,
          listings: [listing, ...shown],
          owners: Object.fromEntries([owner, ...similar.owners].map((each) => [each.id, each])),
        }),
        slots: listing.fyuseId ? ['leads', 'spin'] : ['leads'],
      },
    };
  });
}
