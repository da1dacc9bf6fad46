import { FieldError } from 'react-aria-components';

/** What is wrong with the field that it stands in, a line for each fault. */
export function FieldErrors() {
  return (
    <FieldError className="field-error">
      {({ validationErrors }) => validationErrors.map((error) => <span key={error}>{error}</span>)}
    </FieldError>
  );
}
