import { useEffect, useRef } from 'react';
import { Link } from 'wouter';

export interface TabLink {
  key: string;
  label: string;
  href: string;
}

/** Parts of one thing, each with an address of its own. The one that is open is in sight on a phone too. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly TabLink[];
  current: string;
}) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = frame.current?.querySelector<HTMLElement>('[aria-current]');
    if (frame.current === null || tab === null || tab === undefined) return;
    // In the middle, so that one sees that there are others on both sides.
    frame.current.scrollLeft = tab.offsetLeft - (frame.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return (
    <nav className="tabs" aria-label={label} ref={frame}>
      {tabs.map((tab) => (
        <Link key={tab.key} href={tab.href} aria-current={tab.key === current ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
