/** A resource by its title, kept by id. */
import { useId, useState } from 'preact/hooks';
import { PageDialog } from '../pages/pickers.js';
import { Field } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { rowsOf, textOf } from './banner-view.js';

interface ResourceFieldProps {
  readonly label: string;
  /** 0: none. */
  readonly value: number;
  readonly problems: readonly string[];
  readonly change: (value: number) => void;
}

export function ResourceField({ label, value, problems, change }: ResourceFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const options = { filter: [`id=${value}`], fields: 'id,pagetitle' };
  const { result } = useRun(value === 0 ? null : 'resource list', { options });
  const [row] = value === 0 ? [] : rowsOf(result?.data);
  return (
    <Field id={id} label={label} problems={problems}>
      <div class="row">
        <button id={id} type="button" onClick={() => setOpen(true)}>
          {value === 0 ? texts.writing.choosePage : textOf(row?.['pagetitle']) || value}
        </button>
        {value === 0 ? null : (
          <button type="button" class="small" onClick={() => change(0)}>
            {texts.remove}
          </button>
        )}
      </div>
      {isOpen ? <PageDialog close={() => setOpen(false)} choose={(page) => change(page.id)} /> : null}
    </Field>
  );
}
