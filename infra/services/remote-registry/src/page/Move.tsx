import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { allows, CANARY_LIMIT, type Action } from '@forecourt/release-kit/actions';
import { Button, Dialog } from '@forecourt/slots/ui';
import type { RoomSession } from '../room/roomView.ts';
import { movePointer, RequestError, type Verb } from './api.ts';
import styles from './ControlRoom.module.css';

export type SignedIn = NonNullable<RoomSession['caller']>;

const ACTION_OF: Readonly<Record<Verb, Action>> = {
  canary: 'canary',
  promote: 'promote',
  rollback: 'rollback',
  hold: 'promote',
  resume: 'promote',
};

interface MoveProps {
  readonly caller: SignedIn;
  readonly remote: string;
  readonly verb: Verb;
  /** The revision that the decision is based on: if a pointer has moved since, nothing changes. */
  readonly revision: number;
  /** Besides reason and revision. */
  readonly body?: object;
  /** What ending a canary needs is less than what starting one needs. */
  readonly action?: Action;
  readonly label: string;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** Asks for the share of a canary; percent. Above the limit, it needs `promote`, too. */
  readonly share?: number;
  readonly isReasonRequired?: boolean;
}

/** The form of a confirmation: optional share, reason, and the button that does it. */
function Confirmation({ onDone, ...move }: MoveProps & { readonly onDone: () => void }): ReactNode {
  const { caller, remote, verb, revision, body, label, share, isReasonRequired, children } = move;
  const maxShare = allows(caller, 'promote', remote) ? 100 : CANARY_LIMIT;
  const id = useId();
  const [why, setWhy] = useState('');
  const [weight, setWeight] = useState(String(Math.min(share ?? 0, maxShare)));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await movePointer(remote, verb, {
        ...body,
        ...(share !== undefined && { weight: Number(weight) }),
        ...(why.trim() !== '' && { why: why.trim() }),
        expectedRevision: revision,
      });
      onDone();
    } catch (error) {
      const hasMoved = error instanceof RequestError && error.code === 'REVISION_CHANGED';
      setProblem(
        hasMoved
          ? 'A pointer has moved in the meantime. Look again and confirm.'
          : String((error as Error).message),
      );
      setBusy(false);
    }
  }

  return (
    <form className={styles['confirmation']} onSubmit={(event) => void confirm(event)}>
      {children}
      {share !== undefined && (
        <label>
          Percent of visitors
          <input
            type="number"
            min="0.01"
            max={maxShare}
            step="0.01"
            required
            value={weight}
            onChange={({ target }) => setWeight(target.value)}
          />
          {maxShare < 100 && <small>At most {maxShare}: more needs the permission to promote.</small>}
        </label>
      )}
      <label htmlFor={id}>{isReasonRequired ? 'Reason' : 'Reason (optional)'}</label>
      <input
        id={id}
        maxLength={500}
        required={isReasonRequired}
        value={why}
        onChange={({ target }) => setWhy(target.value)}
      />
      <p role="alert" className={styles['problem']}>
        {problem}
      </p>
      <Button type="submit" look="primary" disabled={isBusy} data-initial-focus>
        {isBusy ? 'Working …' : label}
      </Button>
    </form>
  );
}

/** A button that moves a pointer after a confirmation. Without the permission it says so. */
export function Move(props: MoveProps): ReactNode {
  const { caller, remote, verb, action = ACTION_OF[verb], label, look, title } = props;
  const [isOpen, setOpen] = useState(false);
  const isAllowed = allows(caller, action, remote);
  return (
    <>
      <Button
        look={look ?? 'secondary'}
        disabled={!isAllowed}
        title={isAllowed ? undefined : `Your credential doesn’t allow ${action} for ${remote}.`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Dialog open={isOpen} title={title} onClose={() => setOpen(false)}>
        <Confirmation {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** One click to the confirmation, one to roll back. */
export function RollBack({
  caller,
  remote: { name, pointer, previous },
  revision,
  look,
}: {
  readonly caller: SignedIn;
  readonly remote: {
    readonly name: string;
    readonly pointer: { readonly live: string; readonly canary?: { readonly version: string } | undefined };
    readonly previous: string | undefined;
  };
  readonly revision: number;
  readonly look?: 'primary' | 'secondary';
}): ReactNode {
  if (previous === undefined) return null;
  return (
    <Move
      caller={caller}
      remote={name}
      verb="rollback"
      revision={revision}
      label="Roll back"
      look={look ?? 'secondary'}
      title={`Roll back ${name}?`}
    >
      <p>
        Everyone gets <strong>{previous}</strong> instead of {pointer.live} within two seconds
        {pointer.canary && `, and the canary ${pointer.canary.version} ends`}. Open tabs keep what they have.
      </p>
    </Move>
  );
}
