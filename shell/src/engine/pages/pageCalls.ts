import type { CallContext, Gateway } from '../gateway/gateway.ts';
import { type Completeness, worstOf } from '../compose/completeness.ts';

/** The upstream calls of one page, which add up how complete their responses are. */
export class PageCalls implements Pick<Gateway, 'call' | 'request'> {
  readonly #gateway: Gateway;
  #completeness: Completeness = 'full';

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Of all responses so far. */
  get completeness(): Completeness {
    return this.#completeness;
  }

  readonly request: Gateway['request'] = async (name, params, context: CallContext) => {
    const response = await this.#gateway.request(name, params, context);
    const { source } = response;
    if (source === 'fallback') this.#completeness = worstOf(this.#completeness, 'late');
    if (source === 'stale') this.#completeness = 'stale';
    return response;
  };

  readonly call: Gateway['call'] = async (name, params, context) =>
    (await this.request(name, params, context)).data;
}
