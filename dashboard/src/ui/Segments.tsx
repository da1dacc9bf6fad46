import { useId } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';

interface Props {
  label: string;
  /** Leaves the label to screen readers. */
  hidden?: boolean;
  /** With an icon the label is left to screen readers and the pointer. */
  options: readonly { id: string; label: string; icon?: IconName }[];
  value: string;
  onChange: (id: string) => void;
}

/** One of two or three, all in sight. */
export function Segments({ label, hidden = false, options, value, onChange }: Props) {
  const id = useId();
  return (
    <div className="segments-field">
      <span id={id} className={hidden ? 'sr-only' : 'label'}>
        {label}
      </span>
      <ToggleButtonGroup
        className="segments"
        aria-labelledby={id}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[value]}
        onSelectionChange={(keys) => onChange(String([...keys][0] ?? value))}
      >
        {options.map((option) => (
          <ToggleButton
            key={option.id}
            id={option.id}
            {...(option.icon === undefined ? {} : { 'aria-label': option.label })}
          >
            {option.icon === undefined ? option.label : <Icon name={option.icon} size={14} />}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
