/** Form fields: a select list and a checkbox. */
import { type Html, html } from './html.js'

export type Option = readonly [value: string, label: string]

/**
 * Returns the options of a select list, with the selected `value` added if it is missing and not empty. A value that
 * only a newer release knows thus stays selected.
 */
export const withValue = (options: readonly Option[], value: string): readonly Option[] =>
  value === '' || options.some(([one]) => one === value) ? options : [...options, [value, value]]

/** A select list with its label. `now`: the selected value. */
export const select = (name: string, label: string, options: readonly Option[], now: string): Html =>
  html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${withValue(options, now).map(
    ([value, text]) => html`<option value="${value}"${value === now ? html` selected` : ''}>${text}</option>`,
  )}</select>`

/** A checkbox with its label. Its value in the form is `1`. */
export const checkbox = (name: string, label: string, on: boolean): Html =>
  html`<p><label><input type="checkbox" name="${name}" value="1"${on ? html` checked` : ''}> ${label}</label></p>`
