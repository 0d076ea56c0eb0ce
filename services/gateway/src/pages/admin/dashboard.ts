/** `/admin`: what waits for staff, and the numbers of the last 30 days with small charts. */

import {
  adminAccountList,
  adminReportList,
  instanceActivity,
  readDimensions,
  readMeasures,
} from '@murmuration/contracts/admin'
import type { AdminDimension, AdminMeasure } from '@murmuration/contracts/entities'
import { type Html, html } from '../html.js'
import { say, sayOf } from '../language.js'
import { agoOf, numberOf } from '../parts/time.js'
import { lineChart, type Point } from './chart.js'
import type { Admin, StaffVisit } from './frame.js'

const DAYS = 30
const DAY_MS = 86_400_000
/** Items that wait are counted up to this number. */
const MOST = 40

const MEASURES = [
  ['new_users', 'Sign-ups'],
  ['active_users', 'Active accounts'],
  ['interactions', 'Interactions'],
  ['opened_reports', 'Reports opened'],
  ['resolved_reports', 'Reports resolved'],
] as const
const DIMENSIONS = [
  ['servers', 'Posts by server'],
  ['sources', 'Sign-ups by app'],
  ['languages', 'Languages of active accounts'],
  ['space_usage', 'Storage'],
  ['software_versions', 'Software'],
] as const

/** Null while the numbers cannot be read; the rest of the page is shown all the same. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null)

const dayIn = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const numbersFor = ({ ask, may, now }: StaffVisit) => {
  const since = { start_at: dayIn(now - (DAYS - 1) * DAY_MS), end_at: dayIn(now) }
  if (!may('view_dashboard')) return Promise.all([null, null, null])
  return Promise.all([
    orNull(ask(readMeasures, { keys: MEASURES.map(([key]) => key), ...since })),
    orNull(ask(readDimensions, { keys: DIMENSIONS.map(([key]) => key), ...since, limit: 6 })),
    orNull(ask(instanceActivity, {})),
  ])
}

const waitingFor = ({ ask, may }: StaffVisit) =>
  Promise.all([
    may('manage_reports') ? ask.page(adminReportList, { limit: MOST }) : null,
    may('manage_reports') ? ask.page(adminReportList, { min_id: '1', limit: 1 }) : null,
    may('manage_users') ? ask.page(adminAccountList, { origin: 'local', status: 'pending', limit: MOST }) : null,
  ])

/** At most 40, then `40+`. */
const counted = (items: readonly unknown[]): string =>
  items.length >= MOST ? `${numberOf(MOST)}+` : numberOf(items.length)

const todo = (path: string, label: string, items: readonly unknown[], note: Html | string): Html =>
  html`<a class="card tile${items.length > 0 ? ' todo' : ''}" href="${path}"><p class="label">${say(label)}</p><p class="value">${counted(items)}</p><p class="soft">${note}</p></a>`

const todosOf = async (visit: StaffVisit): Promise<Html> => {
  const [reports, oldest, pending] = await waitingFor(visit)
  const [first] = oldest?.items ?? []
  return html`<div class="tiles">${
    reports === null
      ? ''
      : todo(
          '/admin/reports',
          'Open reports',
          reports.items,
          first ? html`Oldest: ${agoOf(first.created_at, visit.now)}` : say('No report is open.'),
        )
  }${
    pending === null
      ? ''
      : todo(
          '/admin/sign_ups',
          'Pending sign-ups',
          pending.items,
          pending.items.length > 0 ? say('Waiting for your decision') : say('Nobody waits.'),
        )
  }</div>`
}

const measureTile = (key: string, label: string, measure: AdminMeasure): Html => {
  const points: Point[] = measure.data.map(({ date, value }) => ({ date, value: Number(value) }))
  const before = measure.previous_total
  return html`<section class="card tile"><h3 class="label">${say(label)}</h3><p class="value">${numberOf(Number(measure.total))}</p>${
    before === undefined ? '' : html`<p class="soft">${sayOf('30 days before: %s', numberOf(Number(before)))}</p>`
  }${lineChart(`chart-${key}`, label, points)}</section>`
}

/** Posts by week, because they are counted so for everyone. */
const statusesTile = (weeks: readonly { week: string; statuses: string }[]): Html => {
  const points = weeks
    .map(
      ({ week, statuses }): Point => ({ date: new Date(Number(week) * 1000).toISOString(), value: Number(statuses) }),
    )
    .toReversed()
  const last = points.slice(-4).reduce((sum, { value }) => sum + value, 0)
  return html`<section class="card tile"><h3 class="label">Posts</h3><p class="value">${numberOf(last)}</p><p class="soft">last four weeks; chart: twelve weeks</p>${lineChart('chart-statuses', 'Posts by week', points)}</section>`
}

const dimensionTile = (label: string, { data }: AdminDimension): Html | '' =>
  data.length === 0
    ? ''
    : html`<section class="card tile"><h3 class="label">${say(label)}</h3><ul class="plain-list">${data.map(
        (one) => html`<li><span>${one.human_key}</span><span class="n">${one.human_value ?? one.value}</span></li>`,
      )}</ul></section>`

const numbersOf = async (visit: StaffVisit): Promise<Html> => {
  if (!visit.may('view_dashboard')) return html``
  const [measures, dimensions, weeks] = await numbersFor(visit)
  return html`<h2>Last 30 days</h2>${
    measures === null ? html`<p class="card">The numbers cannot be read now. Try again in a moment.</p>` : ''
  }<div class="tiles">${MEASURES.map(([key, label]) => {
    const found = measures?.find((one) => one.key === key)
    return found ? measureTile(key, label, found) : ''
  })}${weeks ? statusesTile(weeks) : ''}</div><div class="tiles">${DIMENSIONS.map(([key, label]) => {
    const found = dimensions?.find((one) => one.key === key)
    return found ? dimensionTile(label, found) : ''
  })}</div>`
}

export const addDashboard = (admin: Admin): void =>
  admin.add('get', '/admin', null, async (visit) => {
    const [todos, numbers] = await Promise.all([todosOf(visit), numbersOf(visit)])
    visit.show({ title: 'Dashboard', current: 'dashboard', body: html`${todos}${numbers}` })
  })
