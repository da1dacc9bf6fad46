import { Checkbox, CheckboxGroup, Label, Text } from 'react-aria-components';
import { FieldErrors } from './FieldErrors.tsx';
import { Icon } from './Icon.tsx';

export interface CheckOption {
  id: string;
  label: string;
  note?: string | undefined;
  isDisabled?: boolean;
}

interface Props {
  label: string;
  /** As `name` of a `Field`. */
  name?: string;
  hint?: string;
  options: readonly CheckOption[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Some of several. */
export function CheckList({ label, hint, options, value, ...props }: Props) {
  return (
    <CheckboxGroup className="field checks" value={[...value]} {...props}>
      <Label>{label}</Label>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <div className="options-grid">
        {options.map((option) => (
          <Checkbox
            key={option.id}
            value={option.id}
            className="check"
            isDisabled={option.isDisabled === true}
          >
            <span className="box" aria-hidden="true">
              <Icon name="check" size={12} />
            </span>
            <span>
              {option.label}
              {option.note !== undefined && <span className="note">{option.note}</span>}
            </span>
          </Checkbox>
        ))}
      </div>
      <FieldErrors />
    </CheckboxGroup>
  );
}
