import {
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import type { SlotStore } from '@forecourt/slots/state';
import type { PersonalParts } from '../../browser/browserSite.ts';
import type { TesterBoot } from '../universal/testerBoot.ts';
import { BusTab, StoreTab, Outlines, SlotsTab } from './PageTabs.tsx';
import { OverrideTab, ReleasesTab } from './Releases.tsx';
import { type PageRecord, type Recorder, recordingOf } from './recorder.ts';
import type { SlotUses } from '../../browser/slotUse.ts';
import { messageOf } from '../../universal/messageOf.ts';

export interface PanelProps {
  readonly personal: PersonalParts;
  readonly store: SlotStore;
  readonly recorder: Recorder;
  readonly uses: SlotUses;
  readonly tester: TesterBoot;
  readonly onClose: () => void;
}

/** The tab selected by an arrow key, Home or End; undefined for other keys. */
function nextTab(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Whether the panel is folded, and its setter. Alt+Shift+D toggles it. */
function useFolding(): readonly [boolean, (isFolded: boolean) => void] {
  const [isFolded, setFolded] = useState(false);
  useEffect(() => {
    const toggle = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || !event.shiftKey || event.code !== 'KeyD') return;
      event.preventDefault();
      setFolded((wasFolded) => !wasFolded);
    };
    window.addEventListener('keydown', toggle);
    return () => window.removeEventListener('keydown', toggle);
  }, []);
  return [isFolded, setFolded];
}

interface TabListProps {
  readonly names: readonly string[];
  /** The index of the selected tab. */
  readonly at: number;
  /** Prefix of the ids of the tabs and their panel. */
  readonly id: string;
  readonly onSelect: (at: number) => void;
}

function TabList({ names, at, id, onSelect }: TabListProps): ReactNode {
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const onKey = (event: KeyboardEvent) => {
    const next = nextTab(event.key, at, names.length);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next);
    tabs.current[next]?.focus();
  };
  // The tabs are buttons; the list only handles the arrow keys.
  return (
    <div role="tablist" aria-label="Devtools" tabIndex={-1} onKeyDown={onKey}>
      {names.map((name, index) => (
        <button
          key={name}
          ref={(element) => {
            tabs.current[index] = element;
          }}
          role="tab"
          id={`${id}tab${index}`}
          aria-selected={index === at}
          aria-controls={`${id}panel`}
          tabIndex={index === at ? 0 : -1}
          onClick={() => onSelect(index)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** The docked panel. Alt+Shift+D folds and unfolds it. */
export function Panel({ personal, store, recorder, uses, tester, onClose }: PanelProps): ReactNode {
  const record = useSyncExternalStore(recorder.subscribe, recorder.current);
  const [isFolded, setFolded] = useFolding();
  const [hasOutlines, setOutlines] = useState(true);
  const [at, setAt] = useState(0);
  const id = useId();
  const slots = tester.slots ?? [];
  const toRecording = (recorded: PageRecord) => {
    const page = location.pathname + location.search;
    return recordingOf(recorded, personal, { state: store.getState(), slots, page });
  };

  const views: readonly { readonly name: string; readonly view: ReactNode }[] = [
    { name: 'Slots', view: <SlotsTab slots={slots} record={record} uses={uses} /> },
    {
      name: 'Events',
      view: <BusTab record={record} onClear={recorder.clearEvents} recordingOf={toRecording} />,
    },
    { name: 'Store', view: <StoreTab store={store} /> },
    { name: 'Releases', view: <ReleasesTab chosen={tester.chosen} room={tester.room} /> },
    { name: 'Override', view: <OverrideTab tester={tester} /> },
    ...(tester.isLocal ? [{ name: 'Faults', view: <FaultsTab /> }] : []),
  ];

  if (isFolded)
    return (
      <button className="pill" onClick={() => setFolded(false)}>
        Devtools
      </button>
    );
  return (
    <>
      {hasOutlines && <Outlines slots={slots} record={record} />}
      <section className="panel" aria-label="Devtools">
        <header>
          <TabList names={views.map(({ name }) => name)} at={at} id={id} onSelect={setAt} />
          <div className="tools">
            <button aria-pressed={hasOutlines} onClick={() => setOutlines(!hasOutlines)}>
              Outlines
            </button>
            <button onClick={() => setFolded(true)} title="Alt+Shift+D">
              Fold
            </button>
            <button onClick={onClose}>Close</button>
          </div>
        </header>
        {/* Scrollable, so it must be focusable. */}
        <div
          className="body"
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={`${id}tab${at}`}
          tabIndex={0}
        >
          {views[at]?.view}
        </div>
      </section>
    </>
  );
}

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
function FaultsTab(): ReactNode {
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
