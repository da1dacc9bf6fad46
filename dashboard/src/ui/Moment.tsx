import { useFormat } from '../i18n/texts.tsx';

/** A time in the person's zone; the exact one on hover. */
export function Moment({ at, seconds = false }: { at: string | null | undefined; seconds?: boolean }) {
  const format = useFormat();
  if (at === null || at === undefined) return <span className="quiet">–</span>;
  return (
    <time dateTime={at} title={`${format.exact(at)}\n${at}`}>
      {seconds ? format.toSecond(at) : format.moment(at)}
    </time>
  );
}
