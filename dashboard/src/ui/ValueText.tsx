import { useTexts } from '../i18n/texts.tsx';

/** The value of an attribute, whatever its type. */
export function ValueText({ value }: { value: unknown }) {
  const { common } = useTexts();
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (Array.isArray(value)) return <>{value.map(String).join(', ')}</>;
  if (typeof value === 'object' && value !== null)
    return <code className="json">{JSON.stringify(value)}</code>;
  return <>{String(value)}</>;
}
