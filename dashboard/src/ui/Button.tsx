import type { ButtonProps } from 'react-aria-components';
import { Button as AriaButton } from 'react-aria-components';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';

interface Props extends Omit<ButtonProps, 'className' | 'children' | 'isPending'> {
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  icon?: IconName;
  /** What it began is under way: it keeps the focus and does nothing. */
  isPending?: boolean;
  children?: string;
}

/** A button: `primary` once to a view, `danger` for what cannot be undone. */
export function Button({ kind = 'plain', icon, isPending = false, children, ...props }: Props) {
  const look = `button ${kind}${children === undefined ? ' only-icon' : ''}`;
  const idle = isPending ? ({ onPress: undefined, type: 'button', 'data-pending': true } as const) : {};
  return (
    <AriaButton {...props} {...(idle as object)} className={look}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
