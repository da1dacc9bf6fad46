import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { Form } from 'react-aria-components';
import type { Failure } from '../client/failure.ts';
import { fieldErrors } from '../client/failure.ts';
import { useTexts } from '../i18n/texts.tsx';

interface Props {
  failure: Failure | undefined;
  onSubmit: () => void;
  children: ReactNode;
}

/**
 * A form that shows what was refused beside the fields of that name. A field's faults go with its first
 * change, not when it is left: the button that is about to be pressed would move away.
 */
export function ActionForm({ failure, onSubmit, children }: Props) {
  const { common, detailErrors } = useTexts();
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  useEffect(
    () => setErrors(fieldErrors(failure, detailErrors, common.inLine)),
    [failure, common, detailErrors],
  );
  const forget = (name: string): void => {
    const { [name]: found, ...others } = errors;
    if (found !== undefined) setErrors(others);
  };
  return (
    <Form
      validationErrors={errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div
        className="contents"
        onInput={({ target }) => forget(target instanceof Element ? (target.getAttribute('name') ?? '') : '')}
      >
        {children}
      </div>
    </Form>
  );
}
