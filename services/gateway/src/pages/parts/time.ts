/** Times as people read them, the same for everybody: in UTC, and said so. */
import { type Html, html } from '../html.js'

const minute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

export const timeOf = (iso: string): Html => html`<time datetime="${iso}">${minute.format(new Date(iso))} UTC</time>`
export const dayOf = (iso: string): Html =>
  html`<time datetime="${iso.slice(0, 10)}">${day.format(new Date(iso))}</time>`

const number = new Intl.NumberFormat('en')

/** `1 boost`, `1,234 boosts`; negative counts mean unknown. */
export const countOf = (n: number, one: string, many = `${one}s`): string =>
  n < 0 ? `– ${many}` : `${number.format(n)} ${n === 1 ? one : many}`
