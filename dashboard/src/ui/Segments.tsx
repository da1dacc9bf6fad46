import { useId } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';

interface Props {
  label: string;
  /** Leaves the label to screen readers. */
  hidden?: boolean;
  options: readonly { id: string; label: string }[];
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
          <ToggleButton key={option.id} id={option.id}>
            {option.label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
