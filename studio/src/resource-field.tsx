/** A resource by its title, kept by id. */
import { useId, useState } from 'preact/hooks';
import { rowsOf } from './data-table.js';
import { PageDialog } from './pages/pickers.js';
import { Field } from './parts.js';
import type { FieldProps } from './record-form.js';
import { texts } from './texts.js';
import { useRun } from './use-run.js';
import { textOf } from './values.js';

export function ResourceField({ label, help, value, problems, change }: FieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const options = { filter: [`id=${value}`], fields: 'id,pagetitle' };
  const { result } = useRun(value === '' ? null : 'resource list', { options });
  const title = rowsOf(result?.data).find((row) => textOf(row['id']) === value)?.['pagetitle'];
  return (
    <Field {...{ id, label, help, problems }}>
      <div class="row">
        <button id={id} type="button" onClick={() => setOpen(true)}>
          {value === '' ? texts.writing.choosePage : textOf(title) || value}
        </button>
        {value === '' ? null : (
          <button type="button" class="small" onClick={() => change('')}>
            {texts.remove}
          </button>
        )}
      </div>
      {isOpen ? <PageDialog close={() => setOpen(false)} choose={(page) => change(String(page.id))} /> : null}
    </Field>
  );
}
