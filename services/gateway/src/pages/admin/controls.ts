/** Form controls of the pages below `/admin`, each with label, help text and error message. */
import { withValue } from '../core/choice.js'
import { type Html, html } from '../core/html.js'

export interface Control {
  readonly name: string
  readonly label: string
  /** Id of the element; `name` by default. Needed if a page has several controls with the same name. */
  readonly id?: string
  readonly value?: string
  readonly help?: string | Html | undefined
  /** Error message about the control, in the language of the page. */
  readonly problem?: string | null | undefined
  readonly required?: boolean
}

const described = ({ id, name, help, problem }: Control): Html | '' => {
  const ids = [help ? `${id ?? name}-help` : '', problem ? `${id ?? name}-problem` : ''].filter(Boolean).join(' ')
  return ids === '' ? '' : html` aria-describedby="${ids}"${problem ? html` aria-invalid="true"` : ''}`
}

/** Help text and error message below a control. */
const notes = ({ id, name, help, problem }: Control): Html =>
  html`${help ? html`<p class="help" id="${id ?? name}-help">${typeof help === 'string' ? help : help}</p>` : ''}${
    problem ? html`<p class="bad" id="${id ?? name}-problem">${problem}</p>` : ''
  }`

const labelled = (control: Control, input: Html): Html =>
  html`<div class="control"><label for="${control.id ?? control.name}">${control.label}</label>${input}${notes(control)}</div>`

/** An `input` element of the given type. */
export const lineOf = (
  control: Control & {
    readonly type?: 'text' | 'number' | 'date' | 'datetime-local' | 'url' | 'search'
    readonly max?: number
    readonly placeholder?: string
    /** Text that the form shows after the input, such as a unit. */
    readonly after?: string
  },
): Html =>
  labelled(
    control,
    html`<div class="line"><input id="${control.id ?? control.name}" type="${control.type ?? 'text'}" name="${control.name}" value="${control.value ?? ''}"${
      control.type === undefined || control.type === 'text' ? html` maxlength="${control.max ?? 2_000}"` : ''
    } autocapitalize="none"${control.placeholder ? html` placeholder="${control.placeholder}"` : ''}${control.required ? html` required` : ''}${described(control)}>${
      control.after ? html`<span class="muted">${control.after}</span>` : ''
    }</div>`,
  )

/** A `textarea` element. */
export const linesOf = (
  control: Control & { readonly rows?: number; readonly max?: number; readonly isCode?: boolean },
): Html =>
  labelled(
    control,
    html`<textarea id="${control.id ?? control.name}" name="${control.name}" rows="${control.rows ?? 3}" maxlength="${control.max ?? 10_000}"${
      control.isCode ? html` class="code" spellcheck="false" autocapitalize="none"` : ''
    }${control.required ? html` required` : ''}${described(control)}>
${control.value ?? ''}</textarea>`,
  )

/** A `select` element. `options` are labels by value. A value without a label gets an option, so that the form keeps the value. */
export const choiceOf = (control: Control, options: Readonly<Record<string, string>>): Html =>
  labelled(
    control,
    html`<select id="${control.id ?? control.name}" name="${control.name}"${described(control)}>${withValue(
      Object.entries(options),
      control.value ?? '',
    ).map(
      ([key, text]) =>
        html`<option value="${key}"${key === (control.value ?? '') ? html` selected` : ''}>${text}</option>`,
    )}</select>`,
  )

/** A checkbox. Checkboxes with the same name need different values. */
export const switchOf = (control: Control & { readonly on: boolean; readonly isFixed?: boolean }): Html =>
  html`<div class="control"><label class="choice"><input type="checkbox" id="${control.id ?? control.name}" name="${control.name}" value="${control.value ?? '1'}"${control.on ? html` checked` : ''}${control.isFixed ? html` disabled` : ''}${described(control)}> <span>${control.label}</span></label>${notes(control)}</div>`

/** Error message of a form; empty if there is no error. */
export const problemOf = (problem: string | null | undefined): Html | '' =>
  problem ? html`<p class="flash wrong" role="alert">${problem}</p>` : ''

/** Text of a form field, with CR LF replaced by LF. Empty if the form has no such field. */
export const textIn = (form: Readonly<Record<string, unknown>>, name: string): string => {
  const value = form[name]
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
}

/** Values of the ticked checkboxes that are named `name[]`. */
export const valuesIn = (form: Readonly<Record<string, unknown>>, name: string): string[] =>
  [form[name] ?? []].flat().filter((one): one is string => typeof one === 'string')

export const isOn = (form: Readonly<Record<string, unknown>>, name: string): boolean => form[name] === '1'
