import { Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import { FieldErrors } from './FieldErrors.tsx';

interface Props {
  label: string;
  /** The field of the action's input: what the service says of it is shown here. */
  name?: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'url' | 'date' | 'search';
  placeholder?: string;
  lines?: number;
  isRequired?: boolean;
  isReadOnly?: boolean;
  /** The longest text. */
  maxLength?: number;
}

/** A text to write. */
export function Field({ label, hint, type = 'text', placeholder, lines, ...props }: Props) {
  return (
    <TextField className="field" type={type} {...props}>
      <Label>{label}</Label>
      {lines === undefined ? <Input placeholder={placeholder ?? ''} /> : <TextArea rows={lines} />}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldErrors />
    </TextField>
  );
}
