/** HTML as tagged templates: whatever is put in is escaped, unless it came from this tag itself (D067); our own words are said in the reader’s language. */
import { escapeHtml } from '@murmuration/text'
import { inLanguage } from './language.js'

const brand = Symbol('html')

export interface Html {
  readonly [brand]: true
  readonly text: string
}

const isHtml = (value: unknown): value is Html => typeof value === 'object' && value !== null && brand in value

const written = (value: unknown): string => {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(written).join('')
  return isHtml(value) ? value.text : escapeHtml(String(value))
}

/** @example html`<p>${name}</p>` */
export const html = (strings: TemplateStringsArray, ...values: readonly unknown[]): Html => ({
  [brand]: true,
  text: inLanguage(strings).reduce((text, part, i) => text + part + (i < values.length ? written(values[i]) : ''), ''),
})

/** HTML that was made safe elsewhere: sanitised by `@murmuration/text`, or written by staff and rendered by admin. */
export const trusted = (text: string): Html => ({ [brand]: true, text })
