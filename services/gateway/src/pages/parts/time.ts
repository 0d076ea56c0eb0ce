/** Times and counts as people read them in the language of the page; times are the same for everybody: in UTC, and said so. */
import { type Html, html } from '../html.js'
import { languageNow, say } from '../language.js'

const formats = (locale: string) => ({
  minute: new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }),
  day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  number: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
})
const made = new Map<string, ReturnType<typeof formats>>()

/** English pages write days before months, as most of their readers do. */
const formatsNow = (): ReturnType<typeof formats> => {
  const language = languageNow()
  const known = made.get(language) ?? formats(language === 'en' ? 'en-GB' : language)
  made.set(language, known)
  return known
}

export const timeOf = (iso: string): Html =>
  html`<time datetime="${iso}">${formatsNow().minute.format(new Date(iso))} UTC</time>`
export const dayOf = (iso: string): Html =>
  html`<time datetime="${iso.slice(0, 10)}">${formatsNow().day.format(new Date(iso))}</time>`
export const numberOf = (n: number): string => formatsNow().number.format(n)

/** `1 boost`, `1,234 boosts`; negative counts mean unknown. */
export const countOf = (n: number, one: string, many = `${one}s`): string =>
  n < 0 ? `– ${say(many)}` : `${numberOf(n)} ${say(n === 1 ? one : many)}`
