import { marketplaceState } from '@forecourt/search/state';
import { renderSlot as render } from '@forecourt/slots/server';

type Parameter<Index extends 1 | 2> = Parameters<typeof render>[Index];

export const renderSlot = (module: Parameter<1>, input: Parameter<2>) =>
  render(marketplaceState, module, input);
