/** Measures of the dashboard: the counters that they read, and the resulting entity. */
import type { DayCount, DayCountQuery } from '@murmuration/contracts/day-count'
import type { AdminMeasure } from '@murmuration/contracts/entities'
import { addDays, before, daysOf, type Period, startOf } from './period.rules.js'
import { humanSize } from './size.rules.js'

export type Owner = 'accounts' | 'statuses' | 'media' | 'admin'

/** The queries of one measure: by day, the total, and the total of the previous period. */
export interface MeasurePlan {
  owner: Owner
  unit: 'bytes' | null
  data: DayCountQuery
  total: DayCountQuery
  previous: DayCountQuery | null
}

export interface Domain {
  domain: string
  include_subdomains?: boolean
}

/** The reversed text of a domain. Keys of counters begin with it, so that a domain and its subdomains are adjacent. */
export const reversed = (domain: string): string => [...domain].toReversed().join('')

const ofMetric = (owner: Owner, metric: string, period: Period): MeasurePlan => {
  const sum = (days: Period): DayCountQuery => ({ metric, ...days, by: [] })
  const data: DayCountQuery = { metric, ...period, by: ['day'] }
  return { owner, unit: null, data, total: sum(period), previous: sum(before(period)) }
}

/** Number of distinct active users: a user counts on an active day of the period if the previous active day is before the period. */
const activeUsers = (period: Period): MeasurePlan => {
  const distinct = (days: Period): DayCountQuery => ({
    metric: 'active',
    ...days,
    keys: [''],
    between: ['0', addDays(days.since, -1)],
    by: [],
  })
  const data: DayCountQuery = { metric: 'active-day', ...period, by: ['day'] }
  return { owner: 'accounts', unit: null, data, total: distinct(period), previous: distinct(before(period)) }
}

/** Statuses of local accounts without boosts. Keys of the counter are domain and language; the domain is empty for local accounts. */
const newStatuses = (period: Period): MeasurePlan => {
  const plan = ofMetric('statuses', 'status-language', period)
  const local = (query: DayCountQuery): DayCountQuery => ({ ...query, under: ['/'] })
  return { ...plan, data: local(plan.data), total: local(plan.total), previous: plan.previous && local(plan.previous) }
}

const PLAIN: Readonly<Record<string, (period: Period) => MeasurePlan>> = {
  active_users: activeUsers,
  new_users: (period) => ofMetric('accounts', 'joined', period),
  /** The measure `new_statuses` is not part of Mastodon's API. */
  new_statuses: newStatuses,
  interactions: (period) => ofMetric('statuses', 'interaction', period),
  opened_reports: (period) => ofMetric('admin', 'report-opened', period),
  resolved_reports: (period) => ofMetric('admin', 'report-resolved', period),
}

const OF_DOMAIN = {
  instance_accounts: ['accounts', 'account', null],
  instance_media_attachments: ['media', 'attachment', 'bytes'],
  instance_reports: ['admin', 'report', null],
  instance_statuses: ['statuses', 'status', null],
  instance_follows: ['accounts', 'follow', null],
  instance_followers: ['accounts', 'follower', null],
} as const satisfies Record<string, readonly [Owner, string, 'bytes' | null]>
export type DomainMeasure = keyof typeof OF_DOMAIN

export const TAG_MEASURES = { tag_accounts: 'accounts', tag_uses: 'uses', tag_servers: 'servers' } as const
export type TagMeasure = keyof typeof TAG_MEASURES

const isPlain = (key: string): boolean => Object.hasOwn(PLAIN, key)
export const isDomainMeasure = (key: string): key is DomainMeasure => Object.hasOwn(OF_DOMAIN, key)
export const isTagMeasure = (key: string): key is TagMeasure => Object.hasOwn(TAG_MEASURES, key)

export const planPlain = (key: string, period: Period): MeasurePlan | null =>
  isPlain(key) ? (PLAIN[key]?.(period) ?? null) : null

/**
 * Queries of a measure of one domain. The total is the total of all time, and there is no previous period. A name
 * without a dot, such as `org`, never includes its subdomains.
 */
export const planDomain = (key: DomainMeasure, of: Domain, period: Period): MeasurePlan => {
  const [owner, metric, unit] = OF_DOMAIN[key]
  const name = reversed(of.domain.trim().toLowerCase())
  const where = {
    metric,
    keys: [name],
    ...(of.include_subdomains && name.includes('.') ? { under: [`${name}.`] } : {}),
  }
  return {
    owner,
    unit,
    data: { ...where, ...period, by: ['day'] },
    total: { ...where, by: [] },
    previous: null,
  }
}

/** A count as text, at least 0, because sums may be negative during a backfill. */
export const countText = (value: string | number | undefined): string => {
  const text = String(value ?? 0)
  return text.startsWith('-') ? '0' : text
}

export interface MeasureResult {
  unit: 'bytes' | null
  data: readonly { day: string; value: string | number }[]
  total: string | number | undefined
  previous?: string | number | undefined
}

/**
 * Values by day, total and previous total of a measure. `found`: the responses to the queries of its plan, in their
 * order.
 */
export const resultOf = (plan: MeasurePlan, found: readonly (readonly DayCount[])[]): MeasureResult => ({
  unit: plan.unit,
  data: (found[0] ?? []).map((one) => ({ day: one.day ?? one.key ?? '', value: one.value })),
  total: found[1]?.[0]?.value,
  ...(plan.previous === null ? {} : { previous: found[2]?.[0]?.value ?? 0 }),
})

/** One measure as an API entity, with every day of the period. */
export const measureOf = (key: string, period: Period, result: MeasureResult): AdminMeasure => {
  const values = new Map(result.data.map((one) => [one.day, one.value]))
  const total = countText(result.total)
  return {
    key,
    unit: result.unit,
    total,
    ...(result.unit === 'bytes' ? { human_value: humanSize(Number(total)) } : {}),
    ...('previous' in result ? { previous_total: countText(result.previous) } : {}),
    data: daysOf(period).map((day) => ({ date: startOf(day), value: countText(values.get(day)) })),
  }
}
