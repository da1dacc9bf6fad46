import { useQuery } from '../../client/useQuery.ts';
import type { Failure } from '../../client/failure.ts';
import { graphql } from '../../gql/index.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { ActionForm } from '../../ui/ActionForm.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckList } from '../../ui/CheckList.tsx';
import { InlineFailure } from '../../ui/FailureNotice.tsx';
import { Field } from '../../ui/Field.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useEdits } from '../../ui/useEdits.ts';

const EVENT_TYPES = graphql(`
  query WebhookEventTypes {
    webhookEventTypes(first: 100) {
      nodes {
        type
        description
      }
    }
  }
`);

const EVERYTHING = '*';

export interface EndpointValues {
  url: string;
  enabledEvents: string[];
}

interface Props {
  /** How the receiver stands now, or what a new one begins with. */
  initial: EndpointValues;
  submit: string;
  isRunning: boolean;
  failure: Failure | undefined;
  /** Given what makes of the receiver, as it has turned out to stand, what the person wants it to be. */
  onSubmit: (over: (now: EndpointValues) => EndpointValues) => void;
  onClose: () => void;
}

/** The address of a receiver, and what is sent there. */
export function EndpointForm({ initial, submit, isRunning, failure, onSubmit, onClose }: Props) {
  const { webhooks: texts, common } = useTexts();
  const { values, over, edit } = useEdits(choicesOf(initial));
  const { url, isEverything, chosen } = values;
  const [{ data }] = useQuery({ query: EVENT_TYPES });
  const options = (data?.webhookEventTypes.nodes ?? []).map(({ type }) => ({ id: type, label: type }));
  return (
    <ActionForm failure={failure} onSubmit={() => onSubmit((now) => valuesOf(over(choicesOf(now))))}>
      <div className="dialog-body">
        <Field
          label={texts.url}
          name="url"
          hint={texts.urlHint}
          type="url"
          value={url}
          onChange={(url) => edit({ url })}
          maxLength={2000}
          isRequired
        />
        <Segments
          label={texts.events}
          options={[
            { id: 'all', label: texts.everything },
            { id: 'some', label: texts.someEvents },
          ]}
          value={isEverything ? 'all' : 'some'}
          onChange={(id) => edit({ isEverything: id === 'all' })}
        />
        {isEverything ? (
          <p className="quiet small">{texts.allEvents}</p>
        ) : (
          <CheckList
            label={texts.someEvents}
            options={options}
            value={chosen}
            onChange={(chosen) => edit({ chosen })}
          />
        )}
        <InlineFailure failure={failure} beside={['url']} />
      </div>
      <footer>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          kind="primary"
          type="submit"
          isPending={isRunning}
          isDisabled={!isEverything && chosen.length === 0}
        >
          {submit}
        </Button>
      </footer>
    </ActionForm>
  );
}

/** What the form shows. */
interface Choices {
  url: string;
  isEverything: boolean;
  chosen: string[];
}

function choicesOf({ url, enabledEvents }: EndpointValues): Choices {
  return {
    url,
    isEverything: enabledEvents.includes(EVERYTHING),
    chosen: enabledEvents.filter((type) => type !== EVERYTHING),
  };
}

function valuesOf({ url, isEverything, chosen }: Choices): EndpointValues {
  return { url: url.trim(), enabledEvents: isEverything ? [EVERYTHING] : chosen };
}
