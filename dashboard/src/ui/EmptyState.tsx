import type { ReactNode } from 'react';
import type { IconName } from './Icon.tsx';
import { Icon } from './Icon.tsx';

interface Props {
  title: string;
  icon?: IconName;
  children?: ReactNode;
  action?: ReactNode;
}

/** Where there is nothing: what that means and what to do. */
export function EmptyState({ title, icon = 'empty', children, action }: Props) {
  return (
    <div className="empty-state">
      <span className="disc">
        <Icon name={icon} size={20} />
      </span>
      <p className="title">{title}</p>
      {children !== undefined && <div className="text">{children}</div>}
      {action}
    </div>
  );
}
