import { useParams } from 'wouter';
import { useTexts } from '../../i18n/texts.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TabLinks } from '../../ui/TabLinks.tsx';
import { Entries } from './Entries.tsx';
import { Ontologies } from './Ontologies.tsx';

/** What events are about. */
export default function CatalogPage() {
  const { part } = useParams<{ part?: string }>();
  const { catalog: texts } = useTexts();
  const current = part === 'entries' ? 'entries' : 'ontologies';
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <div className="tab-bar">
        <TabLinks
          label={texts.title}
          current={current}
          tabs={[
            { key: 'ontologies', label: texts.ontologies, href: '/catalog' },
            { key: 'entries', label: texts.entries, href: '/catalog/entries' },
          ]}
        />
      </div>
      {current === 'entries' ? <Entries /> : <Ontologies />}
    </>
  );
}
