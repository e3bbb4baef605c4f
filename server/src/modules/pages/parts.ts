import { type Html, type Part, html } from './html.ts'

export interface FormField {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'tel'
  value?: string | undefined
  /** Shown in small print. Screen readers read it out with the field. */
  hint?: Part
  /** What is wrong with the entered value. */
  error?: string | undefined
  /** What a browser or password manager may fill in (HTML, 4.10.18.7). */
  autocomplete?: string
  optional?: boolean
  maxLength?: number
}

/** A text input with a label. */
export const field = (given: FormField): Html => {
  const { name, type = 'text', value, autocomplete, maxLength } = given
  const more = [attribute('autocomplete', autocomplete), attribute('maxlength', maxLength)]
  return labelled(
    given,
    html`<input id="${name}" name="${name}" type="${type}" value="${value}"${more}${stateOf(given)}>`,
  )
}

export interface Area extends Omit<FormField, 'type' | 'autocomplete' | 'maxLength'> {
  /** Visible lines. */
  rows: number
}

/** Like `field`, but with several lines. */
export const area = (given: Area): Html => {
  const { name, value, rows } = given
  return labelled(
    given,
    html`<textarea id="${name}" name="${name}" rows="${rows}"${stateOf(given)}>\n${value}</textarea>`,
  )
}

export interface Select extends Omit<FormField, 'type' | 'autocomplete' | 'maxLength' | 'optional'> {
  /** Labels by value. */
  options: ReadonlyMap<string, string>
}

/** Like `field`, but a choice of one option. */
export const select = (given: Select): Html => {
  const { name, value, options } = given
  const items = [...options].map(
    ([key, label]) => html`<option value="${key}"${key === value ? html` selected` : ''}>${label}</option>`,
  )
  return labelled(
    given,
    html`<select id="${name}" name="${name}"${stateOf({ ...given, optional: true })}>${items}</select>`,
  )
}

/** Renders a control with its label, hint and error. */
const labelled = ({ name, label, hint, error, optional }: Omit<FormField, 'type'>, control: Html): Html =>
  html`<div class="field">
<label for="${name}">${label}${optional === true ? html` <span class="muted">(optional)</span>` : ''}</label>
${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${control}
${error === undefined ? '' : html`<p class="fault" id="${name}-fault">${error}</p>`}
</div>`

function stateOf({ name, hint, error, optional }: Omit<FormField, 'type'>): Part {
  const described = [
    hint === undefined ? [] : `${name}-hint`,
    error === undefined ? [] : `${name}-fault`,
  ].flat()
  return [
    attribute('aria-describedby', described.join(' ') || undefined),
    error !== undefined && html` aria-invalid="true"`,
    optional !== true && html` required`,
  ]
}

const attribute = (name: string, value: string | number | undefined): Part =>
  value === undefined ? '' : html` ${name}="${value}"`

export interface Choice {
  value: string
  label: Part
  hint?: Part
  chosen?: boolean
}

/** A group of checkboxes, or with `single` of radio buttons. `legend` is its heading. */
export const choices = (
  name: string,
  legend: Part,
  options: readonly Choice[],
  {
    single = false,
    required = false,
    error,
    hint,
  }: { single?: boolean; required?: boolean; error?: string | undefined; hint?: Part } = {},
): Html => html`<fieldset class="choices${options.length > 9 ? ' many' : ''}"${attribute(
  'aria-describedby',
  error === undefined ? undefined : `${name}-fault`,
)}>
<legend>${legend}</legend>
${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
${options.map(
  ({
    value,
    label,
    hint: small,
    chosen,
  }) => html`<label><input type="${single ? 'radio' : 'checkbox'}" name="${name}" value="${value}"${
    chosen === true ? html` checked` : ''
  }${required ? html` required` : ''}> <span>${label}${small === undefined ? '' : html`<span class="hint">${small}</span>`}</span></label>
`,
)}${error === undefined ? '' : html`<p class="fault" id="${name}-fault">${error}</p>`}
</fieldset>`

/** A form with one button. `fields` are hidden and include `csrf`. */
export const action = (
  path: string,
  fields: Readonly<Record<string, string>>,
  label: Part,
  { kind = 'plain' }: { kind?: 'plain' | 'danger' | 'primary' } = {},
): Html =>
  html`<form method="post" action="${path}" class="inline">${hidden(fields)}<button class="${kind}">${label}</button></form>`

export const hidden = (fields: Readonly<Record<string, string>>): Part =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/** A table. A column of buttons may have an empty heading. `none` is shown if there are no rows. */
export const table = (
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly Part[])[],
  none: Part,
): Html =>
  rows.length === 0
    ? html`<p class="empty">${none}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${headings.map((one) => (one === '' ? html`<td></td>` : html`<th scope="col">${one}</th>`))}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`

/** A key or secret that is shown only now. One click or two keystrokes select all of it. */
export const shownOnce = (label: string, secret: string): Html => html`<div class="once" role="status">
<p><strong>${label}</strong> is shown only now. Copy it to where it is needed.</p>
<p><code class="secret" tabindex="0">${secret}</code></p>
</div>`

/** A message above a form or a list. */
export const alert = (message: Part): Html => html`<p class="alert" role="alert">${message}</p>`

/** The day of a timestamp, in UTC; `never` for null. */
export const day = (at: string | null, never = 'never'): Html =>
  at === null
    ? html`<span class="muted">${never}</span>`
    : html`<time datetime="${at}">${at.slice(0, 10)}</time>`

/** A timestamp to the minute, in UTC; `never` for null. */
export const moment = (at: string | null, never = 'never'): Html =>
  at === null
    ? html`<span class="muted">${never}</span>`
    : html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`
