/** A resource by its title: found by words, kept by id. */
import { useId, useState } from 'preact/hooks';
import { Loaded } from '../data-table.js';
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

const fields = 'id,pagetitle,uri';

export function ResourceField({ label, value, problems, change }: ResourceFieldProps) {
  const id = useId();
  const [words, setWords] = useState('');
  const chosen = useRun(value === 0 ? null : 'resource list', { options: { filter: [`id=${value}`], fields } });
  const found = useRun(words.trim() === '' ? null : 'resource list', { options: { q: words, fields, limit: 8 } });
  const [row] = rowsOf(chosen.result?.data);
  return (
    <Field id={id} label={label} problems={problems}>
      {value === 0 ? null : (
        <p class="bar">
          {textOf(row?.['pagetitle']) || value}
          <button type="button" class="small" onClick={() => change(0)}>
            {texts.remove}
          </button>
        </p>
      )}
      <input
        id={id}
        type="search"
        placeholder={texts.banners.findPage}
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {words.trim() === '' ? null : (
        <Loaded of={found}>
          {({ data }) => (
            <ul class="matches">
              {rowsOf(data).length === 0 ? <li>{texts.noRows}</li> : null}
              {rowsOf(data).map((one) => (
                <li>
                  <button
                    type="button"
                    class="small"
                    onClick={() => {
                      setWords('');
                      change(Number(one['id']));
                    }}
                  >
                    {textOf(one['pagetitle'])}
                  </button>{' '}
                  <span class="help">{textOf(one['uri'])}</span>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </Field>
  );
}
