/** The dashboard of staff: measures, dimensions and retention. */

import { readDimensions, readMeasures, readRetention } from '@murmuration/contracts/admin'
import type { AdminDimension, AdminMeasure } from '@murmuration/contracts/entities'
import type { ResultOf } from '@murmuration/contracts/kit'
import { VERSION } from '@murmuration/contracts/kit'
import { measureTag } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { handle } from '../handlers.js'
import { readCounters } from './counters.js'
import {
  dimensionOf,
  isDomainDimension,
  languageItem,
  planDimension,
  planDomainDimension,
  serverItem,
} from './dimension.rules.js'
import {
  isDomainMeasure,
  isTagMeasure,
  type MeasurePlan,
  measureOf,
  planDomain,
  planPlain,
  resultOf,
  TAG_MEASURES,
  type TagMeasure,
} from './measure.rules.js'
import { before, type Period, periodOf, required } from './period.rules.js'
import { cohortsOf, frequencyOf, MAX_DAYS, periodsOf, retentionQueries } from './retention.rules.js'
import { humanSize } from './size.rules.js'
import { databaseState } from './store.js'

/** Maximum number of days of a dashboard period; a longer period is shortened at its start. */
const MAX_PERIOD_DAYS = 731
const MONTH_MS = 30 * 86_400_000

type TagUse = ResultOf<(typeof measureTag)['output']>

/** Reads the use of each hashtag once, because several measures and dimensions need the same response. */
const tagReader = (ctx: Context, range: Period & { largest: number }) => {
  const known = new Map<string, Promise<TagUse>>()
  return (id: string): Promise<TagUse> => {
    const use = known.get(id) ?? ctx.call(measureTag, { id, ...range })
    known.set(id, use)
    return use
  }
}

interface TagPeriods {
  period: Period
  now(id: string): Promise<TagUse>
  earlier(id: string): Promise<TagUse>
}

const tagMeasure = async (key: TagMeasure, id: string, of: TagPeriods): Promise<AdminMeasure> => {
  const { period } = of
  const [now, then] = await Promise.all([of.now(id), of.earlier(id)])
  const column = TAG_MEASURES[key]
  const uses = (found: typeof now) => found.days.reduce((sum, one) => sum + one.uses, 0)
  const total = (found: typeof now) => (column === 'uses' ? uses(found) : found[column])
  return measureOf(key, period, {
    unit: null,
    data: now.days.map((one) => ({ day: one.day, value: one[column] })),
    total: total(now),
    previous: total(then),
  })
}

export const measures = handle(readMeasures, async (ctx, _viewer, input) => {
  const keys = [...new Set(required('keys', input.keys))]
  const period = periodOf(required('start_at', input.start_at), required('end_at', input.end_at), MAX_PERIOD_DAYS)
  const counted = async (key: string, plan: MeasurePlan): Promise<AdminMeasure> => {
    const queries = [plan.data, plan.total, ...(plan.previous ? [plan.previous] : [])]
    const found = await readCounters(
      ctx,
      queries.map((query) => ({ owner: plan.owner, query })),
    )
    return measureOf(key, period, resultOf(plan, found))
  }
  const tags = {
    period,
    now: tagReader(ctx, { ...period, largest: 1 }),
    earlier: tagReader(ctx, { ...before(period), largest: 1 }),
  }
  const found = await Promise.all(
    keys.map((key): Promise<AdminMeasure> | null => {
      if (isTagMeasure(key)) return tagMeasure(key, required(key, input[key]?.id), tags)
      if (isDomainMeasure(key)) {
        const { include_subdomains = false } = input[key] ?? {}
        return counted(key, planDomain(key, { domain: required(key, input[key]?.domain), include_subdomains }, period))
      }
      const plan = planPlain(key, period)
      return plan && counted(key, plan)
    }),
  )
  return found.filter((one) => one !== null)
})

const spaceUsage = async (ctx: Context): Promise<AdminDimension> => {
  const [database, [stored]] = await Promise.all([
    databaseState(ctx.db),
    readCounters(ctx, [{ owner: 'media', query: { metric: 'stored', by: [] } }]),
  ])
  const item = (key: string, human_key: string, value: string) => ({
    key,
    human_key,
    value,
    unit: 'bytes',
    human_value: humanSize(Number(value)),
  })
  return {
    key: 'space_usage',
    data: [item('postgresql', 'PostgreSQL', database.bytes), item('media', 'Media storage', stored?.[0]?.value ?? '0')],
  }
}

const softwareVersions = async (ctx: Context): Promise<AdminDimension> => {
  const { version } = await databaseState(ctx.db)
  const item = (key: string, human_key: string, value: string) => ({ key, human_key, value, human_value: value })
  return {
    key: 'software_versions',
    data: [
      item('murmuration', 'Murmuration', VERSION),
      item('node', 'Node.js', process.versions.node),
      item('postgresql', 'PostgreSQL', version),
      item('nats', 'NATS', ctx.nc.info?.version ?? ''),
    ],
  }
}

export const dimensions = handle(readDimensions, async (ctx, _viewer, input) => {
  const keys = [...new Set(required('keys', input.keys))]
  const now = ctx.clock.now()
  const period = periodOf(
    input.start_at || new Date(now - MONTH_MS).toISOString(),
    input.end_at || new Date(now).toISOString(),
    MAX_PERIOD_DAYS,
  )
  const limit = Math.max(input.limit, 1)
  const request = { period, limit, local: ctx.site.localDomain }
  const readTag = tagReader(ctx, { ...period, largest: limit })
  const ofTag = async (key: 'tag_servers' | 'tag_languages'): Promise<AdminDimension> => {
    const found = await readTag(required(key, input[key]?.id))
    const data =
      key === 'tag_servers'
        ? found.domains.map((one) => serverItem(request.local, one.key, String(one.value)))
        : found.languages.map((one) => languageItem(one.key, String(one.value)))
    return { key, data }
  }
  const found = await Promise.all(
    keys.map(async (key): Promise<AdminDimension | null> => {
      if (key === 'tag_servers' || key === 'tag_languages') return ofTag(key)
      if (key === 'space_usage') return spaceUsage(ctx)
      if (key === 'software_versions') return softwareVersions(ctx)
      const plan = isDomainDimension(key)
        ? planDomainDimension(key, required(key, input[key]?.domain), request)
        : planDimension(key, request)
      if (plan === null) return null
      const [rows = []] = await readCounters(ctx, [plan])
      return dimensionOf(key, plan, rows)
    }),
  )
  return found.filter((one) => one !== null)
})

export const retention = handle(readRetention, async (ctx, _viewer, input) => {
  const frequency = frequencyOf(input.frequency)
  const max = frequency === 'month' ? MAX_PERIOD_DAYS : MAX_DAYS
  const period = periodOf(required('start_at', input.start_at), required('end_at', input.end_at), max)
  const periods = periodsOf(frequency, period)
  if (periods.length === 0) return []
  const queries = retentionQueries(frequency, periods)
  const found = await readCounters(
    ctx,
    queries.map((query) => ({ owner: 'accounts', query })),
  )
  return cohortsOf(frequency, periods, found.flat())
})
