import { useEffect, useState, type ReactNode } from 'react';
import { OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/overridePaths';
import { messageOf } from '../../../both/messageOf.ts';

const FAULTS = `${OVERRIDES_PATH}/faults`;

const KINDS = {
  'slow, 2 s': { delayMs: 2000 },
  'failing, 500': { status: 500 },
  'answering byte by byte': { mode: 'drip' },
  'closing the connection': { mode: 'drop' },
  'answering broken JSON': { mode: 'invalidBody' },
} as const;

interface Fault {
  readonly id: number;
  readonly [key: string]: unknown;
}

const describe = ({ id: _id, ...fault }: Fault) =>
  Object.entries(fault)
    .filter(([name, value]) => name !== 'dripMs' && !(name === 'delayMs' && value === 0))
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

/** Changes the switches, if requested, and resolves to the active ones. Rejects with the reason. */
async function fetchFaults(change?: RequestInit): Promise<readonly Fault[]> {
  for (const init of change ? [change, {}] : [{}]) {
    const response = await fetch(FAULTS, init);
    const text = await response.text();
    const body = (text === '' ? {} : JSON.parse(text)) as { faults?: Fault[]; error?: { message?: string } };
    if (!response.ok) throw new Error(body.error?.message ?? `refused (${response.status})`);
    if (body.faults) return body.faults;
  }
  return [];
}

/** The upstream's fault switches; in local mode only. */
export function FaultsTab(): ReactNode {
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [problem, setProblem] = useState('');
  const [call, setCall] = useState('search');
  const [kind, setKind] = useState<keyof typeof KINDS>('slow, 2 s');

  const receive = (request: Promise<readonly Fault[]>) =>
    request.then(
      (active) => {
        setFaults(active);
        setProblem('');
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  const run = (init: RequestInit) => void receive(fetchFaults(init));
  useEffect(() => void receive(fetchFaults()), []);

  return (
    <>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const body = JSON.stringify({ call: call.trim(), ...KINDS[kind] });
          run({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
        }}
      >
        <label>
          Call
          <input value={call} required spellCheck={false} onChange={({ target }) => setCall(target.value)} />
        </label>
        <label>
          is
          <select value={kind} onChange={({ target }) => setKind(target.value as keyof typeof KINDS)}>
            {Object.keys(KINDS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button>Switch on</button>
        <button type="button" onClick={() => run({ method: 'DELETE' })}>
          Clear all
        </button>
      </form>
      <p role="status" className={problem ? 'bad' : undefined}>
        {problem ||
          (faults.length === 0
            ? 'Nothing is broken.'
            : `${faults.length} on, for every visitor of this machine:`)}
      </p>
      <ul>
        {faults.map((fault) => (
          <li key={fault.id}>{describe(fault)}</li>
        ))}
      </ul>
    </>
  );
}
