import { useState } from 'react';
import { useTexts } from '../../i18n/texts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { useQueryState } from '../../ui/useQueryState.ts';

/** What narrows the list; it stays in the address. */
export function CustomerFilters() {
  const { customers: texts, common } = useTexts();
  const [get, set] = useQueryState();
  const [externalId, setExternalId] = useState(get('external_id') ?? '');
  const apply = (): void => set({ external_id: externalId.trim(), after: undefined });
  const clear = (): void => {
    setExternalId('');
    set({ external_id: undefined, after: undefined });
  };
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Field label={texts.search} type="search" value={externalId} onChange={setExternalId} maxLength={255} />
        <Button type="submit">{common.apply}</Button>
        {get('external_id') !== undefined && (
          <Button kind="quiet" onPress={clear}>
            {common.clear}
          </Button>
        )}
      </form>
    </search>
  );
}
