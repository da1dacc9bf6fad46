/** Outlines on a grid of 20 by 20. */
const PATHS = {
  overview: 'M3.5 3.5h5.5v7H3.5zM11 3.5h5.5v4H11zM11 9.5h5.5v7H11zM3.5 12.5H9v4H3.5z',
  customers:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 16.5c0-3 2.2-5 5-5s5 2 5 5M13 4a3 3 0 0 1 0 5.6M14.5 11.8c1.8.7 3 2.4 3 4.7',
  sessions:
    'M8 12l4-4M7 9.5l-2.3 2.3a2.7 2.7 0 0 0 3.8 3.8L10.5 13M13 10.500l2.3-2.300a2.7 2.7 0 0 0-3.8-3.800L9.5 7',
  workflows: 'M3.5 3.500h5v4h-5zM11.5 12.500h5v4h-5zM6 7.500v4.500a2.5 2.5 0 0 0 2.5 2.500h3',
  webhooks: 'M3 10.500h3l2-6 4 11 2-5h3',
  catalog: 'M3.5 5.5 10 2.500l6.5 3v9L10 17.500l-6.5-3zM3.5 5.5 10 8.500l6.5-3M10 8.500v9',
  app: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  menu: 'M3 5.500h14M3 10h14M3 14.500h14',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7 7h9.500v9.500H7zM13 7V3.500H3.500V13H7',
  check: 'M4 10.500l4 4 8-9',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5 17 17',
  chevron: 'M6 8l4 4 4-4',
  next: 'M8 5l5 5-5 5',
  previous: 'M12 5l-5 5 5 5',
  lock: 'M5 9h10v8H5zM7 9V6.500a3 3 0 0 1 6 0V9',
  alert: 'M10 3 2.5 16.500h15zM10 8.500v3.500M10 14.200v.3',
  person: 'M10 10a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.600zM3.5 17c.4-3.2 3-5 6.5-5s6.1 1.8 6.5 5',
  table: 'M3 4h14v12H3zM3 8h14M3 12h14M8 4v12',
  chart: 'M3 16.500h14M5.5 16V10M10 16V4.500M14.5 16V8',
  external: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  plus: 'M10 4v12M4 10h12',
  empty: 'M3.5 11.5 5.5 4h9l2 7.500v5h-13zM3.5 11.500H7.500l1 2h3l1-2h4',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words: screen readers pass it over. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
