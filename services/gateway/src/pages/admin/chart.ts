/** Small line charts as inline SVG, with a description for screen readers and a table of the numbers. */
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { dayOf, numberOf } from '../core/parts/time.js'

export interface Point {
  /** Date of the point in ISO 8601. */
  readonly date: string
  readonly value: number
}

const WIDTH = 300
const HEIGHT = 64
const EDGE = 4

/**
 * Coordinates of a line through the values in a box of 300 × 64 units, for `polyline`. The lower edge of the box
 * represents the value zero.
 */
export const lineOf = (values: readonly number[]): string => {
  const max = Math.max(1, ...values)
  const step = values.length > 1 ? (WIDTH - 2 * EDGE) / (values.length - 1) : 0
  return values
    .map((value, at) => {
      const x = EDGE + at * step
      const y = HEIGHT - EDGE - (value / max) * (HEIGHT - 2 * EDGE)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    .join(' ')
}

/** Line chart and table of the given points. `id` must be unique on the page. */
export const lineChart = (id: string, title: string, points: readonly Point[]): Html => {
  const values = points.map(({ value }) => value)
  const line = lineOf(values)
  const highest = t('Highest value: {value}', { value: numberOf(Math.max(0, ...values)) })
  const latest = t('Latest value: {value}', { value: numberOf(values.at(-1) ?? 0) })
  const bottom = HEIGHT - EDGE
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${title}</title><desc id="${id}-desc">${highest}. ${latest}.</desc><line class="axis" x1="0" y1="${bottom}" x2="${WIDTH}" y2="${bottom}"></line><polygon points="${EDGE},${bottom} ${line} ${WIDTH - EDGE},${bottom}"></polygon><polyline points="${line}"></polyline></svg><details class="numbers-of"><summary>${t('Numbers')}</summary><div class="scroll"><table><caption class="visually-hidden">${title}</caption><tbody>${points
    .toReversed()
    .map(
      ({ date, value }) => html`<tr><td>${dayOf(date)}</td><td class="n">${numberOf(value)}</td></tr>`,
    )}</tbody></table></div></details>`
}
