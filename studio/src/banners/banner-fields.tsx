/** The fields of a banner, in groups: what is shown, where, when, on which pages, how often. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Json, JsonObject } from '../api.js';
import { describedBy, Field, FieldGroup } from '../parts.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { rowsOf, textOf } from './banner-view.js';
import { PictureField } from './picture.js';
import { ResourceField } from './resource-field.js';
import { hoursOf, WeekHours } from './week-hours.js';
import { localText, timeOf } from './zone-time.js';

/** A link to a page of the site, as it is stored. */
const pageLink = /^\[\[~(\d{1,10})\]\]$/;

/** Changed fields by name. */
export type Draft = Readonly<Record<string, Json>>;

interface BannerFieldsProps {
  readonly values: JsonObject;
  readonly zone: string;
  /** Of the picture. */
  readonly address: string;
  readonly problemsOf: (name: string) => readonly string[];
  readonly change: (name: string, value: Json) => void;
}

export function BannerFields({ values, zone, address, problemsOf, change }: BannerFieldsProps) {
  const t = texts.banners;
  const of = (name: string) => ({
    label: t.fields[name] ?? name,
    value: textOf(values[name]),
    problems: problemsOf(name),
    change: (value: Json) => change(name, value),
  });
  const isHtml = values['type'] === 'html';
  const time = (name: string) => ({
    ...of(name),
    value: localText(textOf(values[name]), zone),
    change: (value: string) => change(name, timeOf(value, zone)),
  });
  const count = (name: string) => ({
    ...of(name),
    value: textOf(values[name]).replace(/^0$/, ''),
    change: (value: string) => change(name, /^\d{1,15}$/.test(value) ? Number(value) : value === '' ? 0 : value),
  });
  const page = (name: string) => ({ ...of(name), value: Number(values[name] ?? 0) });
  return (
    <>
      <Line {...of('name')} required />
      <Group title={t.shown}>
        <FieldGroup label={t.kind} problems={problemsOf('type')}>
          <div class="choice">
            {(['image', 'html'] as const).map((type) => (
              <label class="check">
                <input
                  type="radio"
                  name="type"
                  checked={values['type'] === type}
                  onChange={() => change('type', type)}
                />
                {t.kinds[type]}
              </label>
            ))}
          </div>
        </FieldGroup>
        {isHtml ? (
          <Line {...of('html')} rows={8} change={(value) => change('html', value === '' ? null : value)} />
        ) : (
          <PictureField {...of('image')} address={address} />
        )}
        <Line {...of('url')} help={t.urlHelp} />
        <ResourceField
          label={t.orPage}
          value={Number(pageLink.exec(textOf(values['url']))?.[1] ?? 0)}
          problems={[]}
          change={(id) => change('url', id === 0 ? '' : `[[~${id}]]`)}
        />
        <Line
          {...of('description')}
          help={t.descriptionHelp}
          change={(value) => change('description', value || null)}
        />
      </Group>
      <Group title={t.where}>
        <Positions {...of('positions')} chosen={listOf(values['positions']).map(Number)} />
      </Group>
      <Group title={t.when}>
        <div class="pair">
          <Line {...time('start')} type="datetime-local" help={t.timeHelp(zone)} />
          <Line {...time('end')} type="datetime-local" />
        </div>
        <details open={values['show_hours'] !== null}>
          <summary>{t.hours}</summary>
          <WeekHours
            {...of('show_hours')}
            value={hoursOf(values['show_hours'])}
            zone={zone}
            change={(hours) => change('show_hours', hours === null ? null : { ...hours })}
          />
        </details>
      </Group>
      <details>
        <summary>{t.targeting}</summary>
        <ResourceField {...page('target_resource_id')} />
        <ResourceField {...page('target_parent_id')} />
        <ResourceField {...page('product_id')} />
        <ResourceField {...page('category_id')} />
        <Line
          {...of('tags')}
          value={listOf(values['tags']).join(', ')}
          help={t.tagsHelp}
          change={(text) =>
            change(
              'tags',
              text.split(/[\s,]+/).filter((tag) => tag !== ''),
            )
          }
        />
      </details>
      <details>
        <summary>{t.limits}</summary>
        <div class="pair">
          <Line {...count('max_clicks')} isNumber />
          <Line {...count('max_impressions')} isNumber />
        </div>
      </details>
    </>
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="block">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly problems: readonly string[];
  readonly change: (value: string) => void;
  readonly help?: string;
  readonly required?: boolean;
  readonly rows?: number;
  readonly type?: 'text' | 'datetime-local';
  readonly isNumber?: boolean;
}

function Line({
  label,
  value,
  problems: found,
  change,
  help,
  required = false,
  rows,
  type = 'text',
  isNumber = false,
}: LineProps) {
  const id = useId();
  const [isPartial, setPartial] = useState(false);
  const problems = isPartial ? [texts.partialTime, ...found] : found;
  const about = {
    ...{ id, value, required, 'aria-invalid': problems.length > 0 },
    'aria-describedby': describedBy(id, { help, problems }),
  };
  const take = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    change(currentTarget.value);
  return (
    <Field id={id} label={label} help={help} required={required} problems={problems}>
      {rows !== undefined ? (
        <textarea {...about} rows={rows} onInput={take} />
      ) : type === 'text' ? (
        <input {...about} type="text" inputMode={isNumber ? 'numeric' : 'text'} onInput={take} autocomplete="off" />
      ) : (
        <input
          {...about}
          type="datetime-local"
          onInput={(event) => {
            setPartial(false);
            take(event);
          }}
          // Half a time has no value, and no event says that it is there.
          onBlur={({ currentTarget }) => setPartial(currentTarget.validity.badInput)}
        />
      )}
    </Field>
  );
}

interface PositionsProps {
  readonly label: string;
  readonly chosen: readonly number[];
  readonly problems: readonly string[];
  readonly change: (ids: Json) => void;
}

function Positions({ label, chosen, problems, change }: PositionsProps) {
  const { result } = useRun('position list', { options: { sort: 'name', limit: 500 } });
  const rows = rowsOf(result?.data);
  return (
    <FieldGroup label={label} help={rows.length === 0 ? texts.banners.noPositions : undefined} problems={problems}>
      <div class="boxes">
        {rows.map((row) => {
          const id = Number(row['id']);
          const isChosen = chosen.includes(id);
          return (
            <label class="check">
              <input
                type="checkbox"
                checked={isChosen}
                onChange={() => change(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
              />
              {textOf(row['name'])}
            </label>
          );
        })}
      </div>
    </FieldGroup>
  );
}
