/** Reads counters of all services, with one request to each service. */
import { readAccountDayCounts } from '@murmuration/contracts/accounts'
import type { DayCount, DayCountQuery } from '@murmuration/contracts/day-count'
import { readMediaDayCounts } from '@murmuration/contracts/media'
import { readStatusDayCounts } from '@murmuration/contracts/statuses'
import { readDayCounts } from '@murmuration/db'
import type { Context } from '../context.js'
import type { Owner } from './measure.rules.js'

export interface Wanted {
  owner: Owner
  query: DayCountQuery
}

const readers: Record<Owner, (ctx: Context, queries: DayCountQuery[]) => Promise<{ results: DayCount[][] }>> = {
  accounts: (ctx, queries) => ctx.call(readAccountDayCounts, { queries }),
  statuses: (ctx, queries) => ctx.call(readStatusDayCounts, { queries }),
  media: (ctx, queries) => ctx.call(readMediaDayCounts, { queries }),
  admin: async (ctx, queries) => ({ results: await Promise.all(queries.map((one) => readDayCounts(ctx.db, one))) }),
}

/** Reads counters of all services. The results are in the order of the queries. */
export const readCounters = async (ctx: Context, wanted: readonly Wanted[]): Promise<DayCount[][]> => {
  const byOwner = Map.groupBy(wanted, (one) => one.owner)
  const found = new Map<Wanted, DayCount[]>()
  await Promise.all(
    [...byOwner].map(async ([owner, own]) => {
      const { results } = await readers[owner](
        ctx,
        own.map((one) => one.query),
      )
      own.forEach((one, at) => {
        found.set(one, results[at] ?? [])
      })
    }),
  )
  return wanted.map((one) => found.get(one) ?? [])
}
