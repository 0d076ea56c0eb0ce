/**
 * Finds the fields that a form changed. A form contains digests of the values that its page showed. Only fields whose
 * value differs from its digest are written. Other fields keep changes that were made after the page was shown. They
 * also keep values of a newer release, which the page of this release shows as other values.
 */
import { hash } from 'node:crypto'
import { type Html, html } from './html.js'

type Fields = Readonly<Record<string, unknown>>

const NAME = 'shown'

const digestOf = (value: unknown): string => hash('sha256', JSON.stringify(value ?? null), 'base64url').slice(0, 16)

/** Digests of the shown values in a form, by field; null for a form that an earlier release created. */
const digestsIn = (form: Fields): Fields | null => {
  const given = form[NAME]
  return typeof given === 'object' && given !== null ? (given as Fields) : null
}

/**
 * Hidden fields with the digests of the values that the page shows.
 * @param values the values that an unchanged form sends to `changedFields`
 * @param form the refused form, whose digests are sent again. A field without a digest gets none, so that it is written.
 */
export const shownFields = (values: Fields, form: Fields | null = null): Html => {
  const kept = form && (digestsIn(form) ?? {})
  return html`${Object.entries(values).map(([name, value]) => {
    const digest = kept ? kept[name] : digestOf(value)
    return typeof digest === 'string' ? html`<input type="hidden" name="${NAME}[${name}]" value="${digest}">` : ''
  })}`
}

/** Returns the values of a form that differ from the values that its page showed. */
export const changedFields = <Values extends object>(form: Fields, values: Values): Partial<Values> => {
  const shown = digestsIn(form)
  if (shown === null) return values
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => shown[name] !== digestOf(value)),
  ) as Partial<Values>
}
