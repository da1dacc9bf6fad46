import { useState } from 'react';
import { useTexts } from '../../i18n/texts.tsx';
import { can } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Field } from '../../ui/Field.tsx';
import { useQueryState } from '../../ui/useQueryState.ts';
import { PURPOSES } from '../customer/purposes.ts';

const ANY = 'ANY';
const NAMES = ['external_id', 'consent_purpose', 'from', 'until'] as const;

/** What narrows the list; it stays in the address. */
export function CustomerFilters() {
  const [get] = useQueryState();
  const key = NAMES.map((name) => get(name) ?? '').join('\n');
  return <Form key={key} />;
}

function Form() {
  const { customers: texts, common, purposes } = useTexts();
  const [get, set] = useQueryState();
  const [externalId, setExternalId] = useState(get('external_id') ?? '');
  const [from, setFrom] = useState(get('from') ?? '');
  const [until, setUntil] = useState(get('until') ?? '');
  const [purpose, setPurpose] = useState(get('consent_purpose') ?? ANY);
  const isFiltered = NAMES.some((name) => get(name) !== undefined);
  const apply = (consentPurpose: string): void =>
    set({
      external_id: externalId.trim(),
      consent_purpose: consentPurpose === ANY ? undefined : consentPurpose,
      from,
      until,
      after: undefined,
    });
  const clear = (): void => set(Object.fromEntries([...NAMES, 'after'].map((name) => [name, undefined])));
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          apply(purpose);
        }}
      >
        <Field
          label={texts.search}
          type="search"
          placeholder={texts.searchHint}
          value={externalId}
          onChange={setExternalId}
          maxLength={255}
        />
        {can('consent:read') && (
          <Choice
            label={texts.purpose}
            options={[
              { id: ANY, label: common.any },
              ...PURPOSES.map((id) => ({ id: id as string, label: purposes[id] })),
            ]}
            value={purpose}
            onChange={(id) => {
              setPurpose(id);
              apply(id);
            }}
          />
        )}
        <Field label={texts.createdAfter} type="date" value={from} onChange={setFrom} />
        <Field label={texts.createdBefore} type="date" value={until} onChange={setUntil} />
        <Button type="submit">{common.apply}</Button>
        {isFiltered && (
          <Button kind="quiet" onPress={clear}>
            {common.clear}
          </Button>
        )}
      </form>
    </search>
  );
}
