import type { ButtonProps } from 'react-aria-components';
import { Button as AriaButton } from 'react-aria-components';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';

interface Props extends Omit<ButtonProps, 'className' | 'children'> {
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  icon?: IconName;
  children?: string;
}

/** A button: `primary` once to a view, `danger` for what cannot be undone. */
export function Button({ kind = 'plain', icon, children, ...props }: Props) {
  const look = `button ${kind}${children === undefined ? ' only-icon' : ''}`;
  return (
    <AriaButton {...props} className={look}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
