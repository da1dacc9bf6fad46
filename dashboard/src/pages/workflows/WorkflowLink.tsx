import { Link } from 'wouter';
import { useTexts } from '../../i18n/texts.tsx';

/** Leads to what became of work that was accepted. */
export function WorkflowLink({ id }: { id: string }) {
  const { customer: texts } = useTexts();
  return <Link href={`/workflows/${id}`}>{texts.follow}</Link>;
}
