import type { ConnectionSessionStatus } from '../../gql/graphql.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Icon } from '../../ui/Icon.tsx';

const STEPS: readonly ConnectionSessionStatus[] = ['CREATED', 'AUTHORIZED', 'COMPLETED'];

/** The way from created to completed, and how far it was gone. */
export function Progress({ status }: { status: ConnectionSessionStatus }) {
  const { sessionStatus } = useTexts();
  const reached = STEPS.indexOf(status);
  const steps = reached < 0 ? ([STEPS[0], status] as ConnectionSessionStatus[]) : STEPS;
  return (
    <ol className="progress">
      {steps.map((step, index) => {
        const isDone = reached < 0 || index <= reached;
        const isEnd = reached < 0 && index > 0;
        return (
          <li
            key={step}
            className={isEnd ? 'ended' : isDone ? 'done' : undefined}
            aria-current={step === status ? 'step' : undefined}
          >
            <span className="dot">
              {isEnd ? <Icon name="close" size={12} /> : isDone && <Icon name="check" size={12} />}
            </span>
            {sessionStatus[step]}
          </li>
        );
      })}
    </ol>
  );
}
