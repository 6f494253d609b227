import type { ReactNode } from 'react';
import { Field } from './Field.tsx';
import type { Form } from './useForm.ts';
import { FieldPair } from './FieldPair.tsx';

/** Sender fields, as the body names them. */
export const CONTACT_FIELDS = ['firstName', 'lastName', 'fromEmailAddress', 'phoneNumber'] as const;

/** Name, email and phone of the sender. */
export function ContactFields({
  form: { bind },
  isFirst,
  besidePhone,
}: {
  form: Form<(typeof CONTACT_FIELDS)[number]>;
  /** The first field gets the focus when the dialog opens. */
  isFirst?: boolean;
  besidePhone?: ReactNode;
}): ReactNode {
  const phone = (
    <Field
      {...bind('phoneNumber')}
      label="Phone"
      input={{ type: 'tel', autoComplete: 'tel', inputMode: 'tel' }}
    />
  );
  return (
    <>
      <FieldPair>
        <Field
          {...bind('firstName')}
          label="First name"
          required
          {...(isFirst && { isFirst })}
          input={{ autoComplete: 'given-name' }}
        />
        <Field {...bind('lastName')} label="Last name" required input={{ autoComplete: 'family-name' }} />
      </FieldPair>
      <Field
        {...bind('fromEmailAddress')}
        label="Email"
        required
        input={{ type: 'email', autoComplete: 'email', inputMode: 'email' }}
      />
      {besidePhone ? (
        <FieldPair>
          {phone}
          {besidePhone}
        </FieldPair>
      ) : (
        phone
      )}
    </>
  );
}
