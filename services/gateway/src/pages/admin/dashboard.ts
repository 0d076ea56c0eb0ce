/** Dashboard at `/admin`: pending work of staff, health of the server, and statistics of the last 30 days with charts. */
import {
  listAccountsForStaff,
  listAdminReports,
  listQueues,
  readDimensions,
  readMeasures,
} from '@murmuration/contracts/admin'
import type { AdminDimension, AdminMeasure } from '@murmuration/contracts/entities'
import { federationHealth } from '@murmuration/contracts/federation'
import { msg } from '@murmuration/messages'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { agoOf, numberOf } from '../core/parts/time.js'
import { lineChart, type Point } from './chart.js'
import { HOSTS } from './federation-tabs.js'
import type { Admin, StaffRequest } from './frame.js'
import { DEAD_LETTERS, isLate, oldestOf, spanOf } from './queues.js'

const DAYS = 30
const DAY_MS = 86_400_000
/** Maximum number of pending items that are counted. A count at this maximum is shown as `40+`. */
const MAX_COUNT = 40

/**
 * Measures of the dashboard, by the service that counts them. Each group is loaded with one call, so that a failing
 * service hides only its own numbers.
 */
const MEASURES = [
  [
    ['new_users', msg('Sign-ups')],
    ['active_users', msg('Active accounts')],
  ],
  [
    ['new_statuses', msg('Posts')],
    ['interactions', msg('Interactions')],
  ],
  [
    ['opened_reports', msg('Reports opened')],
    ['resolved_reports', msg('Reports resolved')],
  ],
] as const
const DIMENSIONS = [
  [['servers', msg('Posts by server')]],
  [
    ['sources', msg('Sign-ups by app')],
    ['languages', msg('Languages of active accounts')],
  ],
  [['space_usage', msg('Storage')]],
  [['software_versions', msg('Software')]],
] as const

/** The result of a call; null if the call fails, so that the remaining page is shown. */
const orNull = <T>(response: Promise<T>): Promise<T | null> => response.catch(() => null)

const tile = (path: string | null, label: string, value: Html | string, note: HtmlValue, isTodo = false): Html => {
  const inner = html`<p class="label">${label}</p><p class="value">${value}</p><p class="muted">${note}</p>`
  return path === null
    ? html`<div class="card tile">${inner}</div>`
    : html`<a class="card tile${isTodo ? ' todo' : ''}" href="${path}">${inner}</a>`
}

const unavailable = (label: string): Html =>
  html`<section class="card tile"><h3 class="label">${label}</h3><p class="value">–</p><p class="muted">${t('Cannot be read now.')}</p></section>`

/** Number of pending items as text; `40+` from 40 on. */
const counted = (items: readonly unknown[]): string =>
  items.length >= MAX_COUNT ? `${numberOf(MAX_COUNT)}+` : numberOf(items.length)

const reportsTile = async ({ callApi, may, now }: StaffRequest): Promise<Html | ''> => {
  if (!may('manage_reports')) return ''
  const [open, oldest] = await Promise.all([
    orNull(callApi.page(listAdminReports, { limit: MAX_COUNT })),
    orNull(callApi.page(listAdminReports, { min_id: '1', limit: 1 })),
  ])
  if (open === null) return unavailable(t('Open reports'))
  const [first] = oldest?.items ?? []
  const note = first ? html`${t('Oldest: {age}', { age: agoOf(first.created_at, now) })}` : t('No report is open.')
  return tile('/admin/reports', t('Open reports'), counted(open.items), note, open.items.length > 0)
}

const signUpsTile = async ({ callApi, may }: StaffRequest): Promise<Html | ''> => {
  if (!may('manage_users')) return ''
  const found = await orNull(
    callApi.page(listAccountsForStaff, { origin: 'local', status: 'pending', limit: MAX_COUNT }),
  )
  if (found === null) return unavailable(t('Pending sign-ups'))
  const waits = found.items.length > 0
  const note = waits ? t('Waiting for your decision') : t('No pending sign-ups.')
  return tile('/admin/sign_ups', t('Pending sign-ups'), counted(found.items), note, waits)
}

const queuesTiles = async ({ callApi, may }: StaffRequest): Promise<Html | ''> => {
  if (!may('view_devops')) return ''
  const found = await orNull(callApi(listQueues, {}))
  if (found === null) return html`${unavailable(t('Oldest message'))}${unavailable(t('Dead letters'))}`
  const { services, unavailable: away } = found
  const seconds = oldestOf(services)
  const dead = services.reduce((sum, one) => sum + one.deadLetters, 0)
  const note =
    away.length > 0
      ? t('No response from: {services}', { services: away.join(', ') })
      : t('{count, plural, one {# event to publish} other {# events to publish}}', {
          count: services.reduce((sum, one) => sum + one.outbox.unsent, 0),
        })
  return html`${tile(
    '/admin/queues',
    t('Oldest message'),
    seconds < 1 ? '–' : spanOf(seconds),
    note,
    isLate(seconds) || away.length > 0,
  )}${tile(
    DEAD_LETTERS,
    t('Dead letters'),
    numberOf(dead),
    dead > 0 ? t('Messages that were given up') : t('No message was given up.'),
    dead > 0,
  )}`
}

const federationTile = async ({ callApi, may }: StaffRequest): Promise<Html | ''> => {
  if (!may('manage_federation')) return ''
  const found = await orNull(callApi(federationHealth, {}))
  if (found === null) return unavailable(t('Failing servers'))
  return tile(
    `${HOSTS}?state=failing`,
    t('Failing servers'),
    numberOf(found.failing),
    t('of {count, plural, one {# server} other {# servers}}', { count: found.hosts }),
    found.unavailable > 0,
  )
}

const measureTile = (key: string, label: string, measure: AdminMeasure): Html => {
  const points: Point[] = measure.data.map(({ date, value }) => ({ date, value: Number(value) }))
  const before = measure.previous_total
  return html`<section class="card tile"><h3 class="label">${label}</h3><p class="value">${numberOf(Number(measure.total))}</p>${
    before === undefined
      ? ''
      : html`<p class="muted">${t('30 days before: {value}', { value: numberOf(Number(before)) })}</p>`
  }${lineChart(`chart-${key}`, label, points)}</section>`
}

const dimensionTile = (label: string, { data }: AdminDimension): Html | '' =>
  data.length === 0
    ? ''
    : html`<section class="card tile"><h3 class="label">${label}</h3><ul class="plain-list">${data.map(
        (one) => html`<li><span>${one.human_key}</span><span class="n">${one.human_value ?? one.value}</span></li>`,
      )}</ul></section>`

/** Tiles of one group of numbers on the dashboard, loaded with one call. */
const tilesOf = async <T extends { key: string }>(
  keys: readonly (readonly [string, string])[],
  callApi: (keys: string[]) => Promise<T[]>,
  view: (key: string, label: string, found: T) => Html | '',
): Promise<(Html | '')[]> => {
  const found = await orNull(callApi(keys.map(([key]) => key)))
  return keys.map(([key, label]) => {
    const one = found?.find((it) => it.key === key)
    return one ? view(key, label, one) : unavailable(label)
  })
}

const numbersOf = async ({ callApi, may, now }: StaffRequest): Promise<Html> => {
  if (!may('view_dashboard')) return html``
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const since = { start_at: day(now - (DAYS - 1) * DAY_MS), end_at: day(now) }
  const [measures, dimensions] = await Promise.all([
    Promise.all(
      MEASURES.map((group) => tilesOf(labels(group), (keys) => callApi(readMeasures, { keys, ...since }), measureTile)),
    ),
    Promise.all(
      DIMENSIONS.map((group) =>
        tilesOf(
          labels(group),
          (keys) => callApi(readDimensions, { keys, ...since, limit: 6 }),
          (_key, label, one) => dimensionTile(label, one),
        ),
      ),
    ),
  ])
  return html`<h2>${t('Last 30 days')}</h2><div class="tiles">${measures.flat()}</div><div class="tiles">${dimensions.flat()}</div>`
}

export const addDashboard = (admin: Admin): void =>
  admin.add('get', '/admin', null, async (request) => {
    const [todos, numbers] = await Promise.all([
      Promise.all([reportsTile(request), signUpsTile(request), federationTile(request), queuesTiles(request)]),
      numbersOf(request),
    ])
    request.show({
      title: t('Dashboard'),
      current: 'dashboard',
      body: html`<div class="tiles todos">${todos}</div>${numbers}`,
    })
  })
