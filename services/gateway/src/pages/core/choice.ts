/** Fields to choose with: a list of which one holds, and a box to tick. */
import { type Html, html } from './html.js'

export type Option = readonly [value: string, label: string]

export const select = (name: string, label: string, options: readonly Option[], now: string): Html =>
  html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === now ? html` selected` : ''}>${text}</option>`,
  )}</select>`

export const tick = (name: string, label: string, on: boolean): Html =>
  html`<p><label><input type="checkbox" name="${name}" value="1"${on ? html` checked` : ''}> ${label}</label></p>`
