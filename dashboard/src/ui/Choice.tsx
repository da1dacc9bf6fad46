import type { ReactNode } from 'react';
import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';
import { Icon } from './Icon.tsx';

export interface Option {
  id: string;
  label: string;
  /** Said after the label, such as a state. */
  hint?: ReactNode;
}

interface Props {
  label: string;
  /** The label stands before the value instead of above it. */
  inline?: boolean;
  /** Leaves the label to screen readers. */
  hidden?: boolean;
  options: readonly Option[];
  value: string;
  onChange: (id: string) => void;
}

/** One of a few. */
export function Choice({ label, inline = false, hidden = false, options, value, onChange }: Props) {
  return (
    <Select
      className={inline ? 'field inline' : 'field'}
      value={value}
      onChange={(id) => onChange(String(id))}
    >
      <Label className={hidden ? 'sr-only' : ''}>{label}</Label>
      <Button className="button plain choice">
        <SelectValue />
        <Icon name="chevron" size={14} />
      </Button>
      <Popover className="popover">
        <ListBox className="options" items={options}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label}>
              <span>{option.label}</span>
              {option.hint !== undefined && <span className="hint">{option.hint}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
