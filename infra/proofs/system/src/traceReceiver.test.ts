import { describe, expect, it } from '@jest/globals';
import { startTraceReceiver, TraceBoard, traceExportSchema } from './traceReceiver.ts';

const id = (n: number) => n.toString(16).padStart(16, '0');
const traceId = (n: number) => n.toString(16).padStart(32, '0');

interface SampleSpan {
  readonly id: number;
  readonly parent?: number;
  readonly name?: string;
  readonly from: number;
  readonly until: number;
  readonly isFailed?: boolean;
}
const START = 1_700_000_000_000;

/** An export of spans of one trace; times are ms after its start. */
const rawExport = (trace: number, spans: readonly SampleSpan[], service = 'forecourt-shell') => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [
        {
          spans: spans.map(({ id: spanId, parent, name = `span ${spanId}`, from, until, isFailed }) => ({
            traceId: traceId(trace),
            spanId: id(spanId),
            ...(parent !== undefined && { parentSpanId: id(parent) }),
            name,
            startTimeUnixNano: `${(START + from) * 1_000}000`,
            endTimeUnixNano: `${(START + until) * 1_000}000`,
            attributes: [{ key: 'forecourt.request_id', value: { stringValue: `request-${trace}` } }],
            status: { code: isFailed ? 2 : 0 },
          })),
        },
      ],
    },
  ],
});

const exportOf = (...parts: Parameters<typeof rawExport>) => traceExportSchema.parse(rawExport(...parts));

describe('received traces', () => {
  it('join the spans of several services in the order of a tree', () => {
    const board = new TraceBoard();
    // The API's export arrives first.
    board.add(exportOf(1, [{ id: 3, parent: 1, name: 'POST /batch', from: 10, until: 40 }], 'forecourt-api'));
    board.add(
      exportOf(1, [
        { id: 2, parent: 1, name: 'slot results', from: 50, until: 95, isFailed: true },
        { id: 1, parent: 99, name: 'GET results', from: 0, until: 100 },
      ]),
    );
    board.add(
      exportOf(1, [{ id: 4, parent: 3, name: 'index search', from: 12, until: 30 }], 'forecourt-api'),
    );
    const trace = board.find(traceId(1));
    expect(trace).toMatchObject({ name: 'GET results', requestId: 'request-1', ms: 100, isFailed: true });
    expect(
      trace?.steps.map(({ name, service, depth, startMs, ms }) => [name, service, depth, startMs, ms]),
    ).toEqual([
      ['GET results', 'forecourt-shell', 0, 0, 100],
      ['POST /batch', 'forecourt-api', 1, 10, 30],
      ['index search', 'forecourt-api', 2, 12, 18],
      ['slot results', 'forecourt-shell', 1, 50, 45],
    ]);
    // 10–40 and 50–95 of 100 ms.
    expect(trace?.explained).toBeCloseTo(0.75);
  });

  it('count time in which several steps ran once, and none after the end of the request', () => {
    const board = new TraceBoard();
    board.add(
      exportOf(1, [
        { id: 1, from: 0, until: 100 },
        { id: 2, parent: 1, from: 10, until: 60 },
        { id: 3, parent: 1, from: 20, until: 50 },
        { id: 4, parent: 1, from: 90, until: 400 },
      ]),
    );
    expect(board.find(traceId(1))?.explained).toBeCloseTo(0.6);
  });

  it('are bounded: the oldest are forgotten, and long ones cut', () => {
    const board = new TraceBoard();
    for (let trace = 1; trace <= 201; trace += 1) board.add(exportOf(trace, [{ id: 1, from: 0, until: 1 }]));
    expect(board.list()).toHaveLength(200);
    expect(board.find(traceId(1))).toBeUndefined();
    expect(board.list()[0]?.traceId).toBe(traceId(201));
    const many = Array.from({ length: 600 }, (_, n) => ({ id: n + 1, from: n, until: n + 1 }));
    board.add(exportOf(300, many));
    expect(board.find(traceId(300))?.spans).toBe(500);
  });

  it('end where parents form a circle', () => {
    const board = new TraceBoard();
    board.add(
      exportOf(1, [
        { id: 1, from: 0, until: 9 },
        { id: 2, parent: 3, from: 1, until: 2 },
        { id: 3, parent: 2, from: 1, until: 2 },
      ]),
    );
    expect(board.find(traceId(1))?.steps).toHaveLength(3);
    const circle = new TraceBoard();
    circle.add(exportOf(1, [{ id: 1, parent: 1, from: 0, until: 9 }]));
    expect(circle.list()).toEqual([]);
  });

  it('arrive by OTLP over HTTP, and what is no export is refused', async () => {
    const { url, board, close } = await startTraceReceiver();
    const send = async (body: object) =>
      (await fetch(`${url}/v1/traces`, { method: 'POST', body: JSON.stringify(body) })).status;
    expect(await send({ resourceSpans: [{}] })).toBe(400);
    expect(await send(rawExport(1, [{ id: 1, from: 0, until: 10 }]))).toBe(200);
    expect(board.list()).toMatchObject([{ traceId: traceId(1), name: 'span 1', spans: 1 }]);
    await close();
  });
});
