/** HTML as tagged templates. Inserted values are escaped, unless they are results of this tag (D067). */
import { escapeHtml } from '@murmuration/text'

const brand = Symbol('html')

export interface Html {
  readonly [brand]: true
  readonly text: string
}

/** Values that can be inserted into a template. Null, undefined and false become empty text. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

const isHtml = (value: unknown): value is Html => typeof value === 'object' && value !== null && brand in value

const written = (value: unknown): string => {
  if (value === null || value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(written).join('')
  return isHtml(value) ? value.text : escapeHtml(String(value))
}

/** @example html`<p>${name}</p>` */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  [brand]: true,
  text: strings.reduce((text, part, i) => text + part + (i < values.length ? written(values[i]) : ''), ''),
})

/**
 * Marks text as safe HTML. `trusted` is only for text that `@murmuration/text` sanitised, and for Markdown of staff
 * that the admin service rendered.
 */
export const trusted = (text: string): Html => ({ [brand]: true, text })

/** Joins the values that are not empty with a dot between them. */
export const dotted = (...values: readonly HtmlValue[]): Html =>
  trusted(
    values
      .map(written)
      .filter((text) => text !== '')
      .join(' · '),
  )
