/** Fields to choose with: a list of which one holds, and a box to tick. */
import { type Html, html } from './html.js'
import { say } from './language.js'

export type Option = readonly [value: string, label: string]

export const select = (name: string, label: string, options: readonly Option[], now: string): Html =>
  html`<label for="${name}">${say(label)}</label><select id="${name}" name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === now ? html` selected` : ''}>${say(text)}</option>`,
  )}</select>`

export const tick = (name: string, label: string, on: boolean): Html =>
  html`<p><label><input type="checkbox" name="${name}" value="1"${on ? html` checked` : ''}> ${say(label)}</label></p>`
