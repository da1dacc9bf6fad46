import { useTexts } from '../i18n/texts.tsx';

/** The value of an attribute, whatever its type. An empty one is named, as a blank would look like none. */
export function ValueText({ value }: { value: unknown }) {
  const { common } = useTexts();
  if (value === '' || (Array.isArray(value) && value.length === 0))
    return <span className="quiet">{common.empty}</span>;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (Array.isArray(value)) return <>{value.map(String).join(', ')}</>;
  if (typeof value === 'object' && value !== null)
    return <code className="json">{JSON.stringify(value)}</code>;
  return <>{String(value)}</>;
}
