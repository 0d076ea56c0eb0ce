/** Times and counts as people read them in the language of the page; times are the same for everybody: in UTC, and said so. */
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
const STEPS: readonly (readonly [seconds: number, unit: 'second' | 'minute' | 'hour' | 'day'])[] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [604_800, 'day'],
]

/** How long ago something was, such as `5 min ago`; the day when it is more than a week. `now` in milliseconds since 1970. */
export const agoOf = (iso: string, now: number): Html => {
  const { minute, short, relative } = formatsNow()
  const at = new Date(iso)
  const seconds = Math.max(0, Math.round((now - at.getTime()) / 1000))
  const step = STEPS.findIndex(([most]) => seconds < most)
  const [, unit] = STEPS[step] ?? []
  const text = unit ? relative.format(-Math.floor(seconds / (STEPS[step - 1]?.[0] ?? 1)), unit) : short.format(at)
  return html`<time datetime="${iso}" title="${minute.format(at)} UTC">${text}</time>`
}

/** An age in its largest unit, such as `3 days`. */
export const durationOf = (seconds: number): string => {
  const step = STEPS.findIndex(([most]) => seconds < most)
  const [, unit] = STEPS[step] ?? ['', 'day' as const]
  const size = STEPS[(step < 0 ? STEPS.length - 1 : step) - 1]?.[0] ?? 1
  const language = languageNow()
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / size),
  )
}

/** The age of something that waits, however old it is; `now` in milliseconds since 1970. */
export const ageOf = (iso: string, now: number): Html => {
  const at = new Date(iso)
  const age = durationOf(Math.max(0, Math.round((now - at.getTime()) / 1000)))
  return html`<time datetime="${iso}" title="${formatsNow().minute.format(at)} UTC">${age}</time>`
}

export const numberOf = (n: number): string => formatsNow().number.format(n)
