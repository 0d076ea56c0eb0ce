/** Formats times and numbers in the language of the page. Times are in UTC and labelled so. */
import { readTime } from '@murmuration/text'
import { type Html, html } from '../html.js'
import { languageNow } from '../language.js'

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
  short: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  number: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
})
const made = new Map<string, ReturnType<typeof formats>>()

/** Date and number formats of the language of the page. English uses `en-GB`, which writes the day before the month. */
const formatsNow = (): ReturnType<typeof formats> => {
  const language = languageNow()
  const known = made.get(language) ?? formats(language === 'en' ? 'en-GB' : language)
  made.set(language, known)
  return known
}

/** Date and time to the minute, in the language of the page. */
export const timeOf = (iso: string): Html =>
  html`<time datetime="${iso}">${formatsNow().minute.format(new Date(readTime(iso)))} UTC</time>`
/** A date in the language of the page, without the time. */
export const dayOf = (iso: string): Html =>
  html`<time datetime="${iso.slice(0, 10)}">${formatsNow().day.format(new Date(readTime(iso)))}</time>`
/** Units of relative times, each with the number of seconds below which it is used. */
const STEPS: readonly (readonly [seconds: number, unit: 'second' | 'minute' | 'hour' | 'day'])[] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [604_800, 'day'],
]

/** Relative time such as `5 min ago`; the date if the time is more than a week ago. `now`: in milliseconds since 1970. */
export const agoOf = (iso: string, now: number): Html => {
  const { minute, short, relative } = formatsNow()
  const at = new Date(readTime(iso))
  const seconds = Math.max(0, Math.round((now - at.getTime()) / 1000))
  const step = STEPS.findIndex(([max]) => seconds < max)
  const [, unit] = STEPS[step] ?? []
  const text = unit ? relative.format(-Math.floor(seconds / (STEPS[step - 1]?.[0] ?? 1)), unit) : short.format(at)
  return html`<time datetime="${iso}" title="${minute.format(at)} UTC">${text}</time>`
}

/** A duration in its largest unit up to days, such as `3 days`. */
export const durationOf = (seconds: number): string => {
  const step = STEPS.findIndex(([max]) => seconds < max)
  const [, unit] = STEPS[step] ?? ['', 'day' as const]
  const size = STEPS[(step < 0 ? STEPS.length - 1 : step) - 1]?.[0] ?? 1
  const language = languageNow()
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / size),
  )
}

/** Time since `iso`, such as `3 days`, without an upper bound. `now` is in milliseconds since 1970. */
export const ageOf = (iso: string, now: number): Html => {
  const at = new Date(readTime(iso))
  const age = durationOf(Math.max(0, Math.round((now - at.getTime()) / 1000)))
  return html`<time datetime="${iso}" title="${formatsNow().minute.format(at)} UTC">${age}</time>`
}

export const numberOf = (n: number): string => formatsNow().number.format(n)
