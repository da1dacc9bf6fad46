import { useAppName } from '../client/useAppName.ts';
import type { Failure } from '../client/failure.ts';
import { useTexts } from '../i18n/texts.tsx';
import { Button } from './Button.tsx';
import { Copyable } from './Copyable.tsx';
import { EmptyState } from './EmptyState.tsx';
import { Icon } from './Icon.tsx';
import { useQueryState } from './useQueryState.ts';

/** Why something could not be read, and what to do: a missing scope, a missing thing, a broken network. */
export function FailureNotice({ failure, onRetry }: { failure: Failure; onRetry?: () => void }) {
  const { common, failures } = useTexts();
  if (failure.details.some(({ code }) => code === 'invalid_cursor')) return <NoSuchPage />;
  if (failure.code === 'INSUFFICIENT_SCOPE') return <MissingScope scopes={failure.missingScopes ?? []} />;
  return (
    <EmptyState
      icon="alert"
      title={common.failedTitle}
      action={onRetry === undefined ? undefined : <Button onPress={onRetry}>{common.reload}</Button>}
    >
      <p>{failures[failure.code] ?? failure.message}</p>
      {failure.requestId !== undefined && (
        <p className="small">
          {common.requestId} <Copyable value={failure.requestId} what={common.requestId} />
        </p>
      )}
    </EmptyState>
  );
}

/** The cursor in the address is of no page of the list (`usePages`): trying again would not help. */
function NoSuchPage() {
  const { common } = useTexts();
  const [, set] = useQueryState();
  const toFirst = (): void => set({ after: undefined }, { replace: true, state: null });
  return (
    <EmptyState
      icon="alert"
      title={common.failedTitle}
      action={<Button onPress={toFirst}>{common.toFirst}</Button>}
    >
      {common.noSuchPage}
    </EmptyState>
  );
}

/** A part that the person's role does not include: said, not left out. */
export function MissingScope({ scopes }: { scopes: readonly string[] }) {
  const { scope } = useTexts();
  const appName = useAppName();
  return (
    <EmptyState icon="lock" title={scope.title}>
      <p>{scope.body(appName)}</p>
      <p className="small">
        {scope.missing}:{' '}
        {scopes.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </p>
    </EmptyState>
  );
}

interface InlineProps {
  failure: Failure | undefined;
  /** Names of fields that show what is wrong with them themselves. */
  beside?: readonly string[];
}

/** The same in a line, above a form or within a dialog. */
export function InlineFailure({ failure, beside = [] }: InlineProps) {
  const { common, failures, detailErrors } = useTexts();
  if (failure === undefined) return null;
  const lines = failure.details
    .filter(({ field = '' }) => !beside.includes(field.replace(/\[\d+\]$/, '')))
    .map(({ code, message, field }) => {
      const text = detailErrors[code] ?? message;
      return field === undefined ? text : `${field}: ${text}`;
    });
  return (
    <div className="notice danger" role="alert">
      <Icon name="alert" />
      <div>
        <p className="title">{common.actionFailed}</p>
        <p>{failures[failure.code] ?? failure.message}</p>
        {lines.length > 0 && (
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {failure.requestId !== undefined && (
          <p className="small">
            {common.requestId} <code>{failure.requestId}</code>
          </p>
        )}
      </div>
    </div>
  );
}
