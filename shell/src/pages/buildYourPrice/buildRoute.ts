import type { RequestHandler } from 'express';
import type { ShellDeps } from '../../server/deps.ts';
import { readPaymentChoice } from '../payment.ts';
import { pageRoute, type PageAnswer, type PageContext } from '../pageRoute.ts';
import { buildView, chooseView } from './buildView.ts';
import { BUILD_PATH, chosenModel, chosenYear, pricedTrims, type ChosenModel } from './choice.ts';

/** `GET /cars-for-sale/build-your-price?makeCode=&modelCode=`: what a new vehicle costs, by trim (B2-ROUTE-05, AMB-056). */
export function buildRoute({ gateway, reference, ...deps }: ShellDeps): RequestHandler {
  function choose({ query, stateOf }: PageContext, missing?: ChosenModel): PageAnswer {
    const makeCode = missing?.makeCode ?? query.get('makeCode')?.toUpperCase();
    return {
      kind: 'page',
      page: {
        title: 'Build your price',
        description: 'Choose a new vehicle, its trim, and see its price and what it costs a month.',
        canonical: BUILD_PATH,
        isIndexed: missing === undefined,
        current: BUILD_PATH,
        body: chooseView(reference.data().makes, { makeCode, missing }),
        state: stateOf({ url: BUILD_PATH }),
        slots: [],
      },
    };
  }

  return pageRoute(deps, async (_request, context) => {
    const { query, call, stateOf } = context;
    const model = chosenModel(query, reference.current());
    if (!model) return choose(context);
    const { makeCode, modelCode, makeName, modelName } = model;
    const { links: years } = await gateway.call('newModelYears', { makeCode, modelCode }, call);
    const year = chosenYear(query, years);
    if (year === undefined) return choose(context, model);
    const { items } = await gateway.call(
      'referenceVehicles',
      { yearId: year, atcMakeCode: makeCode, atcModelCode: modelCode },
      call,
    );
    const { trims, chosen } = pricedTrims(query, items);
    if (!chosen) return choose(context, model);
    const canonical = `${BUILD_PATH}?${new URLSearchParams({ makeCode, modelCode })}`;
    return {
      kind: 'page',
      page: {
        title: `Build your price: new ${year} ${makeName} ${modelName}`,
        description: `Trims and prices of the new ${year} ${makeName} ${modelName}, and what each costs a month.`,
        canonical,
        isIndexed: true,
        current: canonical,
        body: buildView({
          model,
          year,
          years,
          trims,
          chosen,
          payment: readPaymentChoice(query, chosen.nationalMSRP),
          stock: years.find(({ value }) => value === year),
        }),
        state: stateOf({ url: canonical }),
        slots: [],
      },
    };
  });
}
