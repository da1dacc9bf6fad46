import { useParams } from 'wouter';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { MissingScope } from '../../ui/FailureNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TabLinks } from '../../ui/TabLinks.tsx';
import { Credentials } from './Credentials.tsx';
import { Members } from './Members.tsx';
import { RequestLog } from './RequestLog.tsx';
import { Settings } from './Settings.tsx';

const PARTS = {
  settings: Settings,
  credentials: Credentials,
  members: Members,
  requests: RequestLog,
} as const;

type PartName = keyof typeof PARTS;

/** How the app is set up, who works with it, and what it asked of the service. */
export default function AppPage() {
  const { part } = useParams<{ part?: string }>();
  const { app: texts } = useTexts();
  const current = part !== undefined && Object.hasOwn(PARTS, part) ? (part as PartName) : 'settings';
  const Part = PARTS[current];
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <div className="tab-bar">
        <TabLinks
          label={texts.sections}
          current={current}
          tabs={(Object.keys(PARTS) as PartName[]).map((key) => ({
            key,
            label: texts.tabs[key],
            href: `/app/${key}`,
          }))}
        />
      </div>
      {can('apps:read') ? <Part /> : <MissingScope scopes={['apps:read']} />}
    </>
  );
}
