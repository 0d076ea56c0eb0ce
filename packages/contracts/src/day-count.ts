/** Reading the counters by day of a service: sums of metrics by key and day, for the dashboard of staff. */
import { z } from 'zod'
import { internal, operation } from './kit/index.js'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export const DayCountQuery = z.object({
  metric: z.string().max(50),
  /** Exact keys, or beginnings of keys; every key when both are absent. */
  keys: z.array(z.string()).max(10).optional(),
  under: z.array(z.string()).max(10).optional(),
  /** Keys from the first to the last of these, both included. */
  between: z.tuple([z.string(), z.string()]).optional(),
  /** Both included. */
  since: day.optional(),
  until: day.optional(),
  by: z.array(z.enum(['day', 'key'])).max(2),
  /** Sums by this part of the key, counted from 1, where parts are separated by `/`. */
  part: z.int().min(1).max(3).optional(),
  /** Days, also those in keys, become months `YYYY-MM`. */
  months: z.boolean().optional(),
  /** The largest sums only. */
  largest: z.int().min(1).max(100).optional(),
})
export type DayCountQuery = z.infer<typeof DayCountQuery>

/** `value` holds decimal digits; `key` and `day` are null where sums are not by them. */
export const DayCount = z.object({ key: z.string().nullable(), day: z.string().nullable(), value: z.string() })
export type DayCount = z.infer<typeof DayCount>

/** The operation by which admin reads the counters of a service. */
export const dayCountsOf = (service: string) =>
  operation(`${service}.day-count.read`, {
    viewer: internal(),
    large: true,
    input: z.object({ queries: z.array(DayCountQuery).max(30) }),
    output: z.object({ results: z.array(z.array(DayCount)) }),
    about: 'Sums of counters by day, one list per query, for the dashboard of staff.',
  })
