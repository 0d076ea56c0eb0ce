/** Counters by day of a service, for the staff dashboard: sums of metrics by key and day. */
import { z } from 'zod'
import { internal, operation } from './kit/index.js'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export const DayCountQuery = z.object({
  metric: z.string().max(50),
  /** Exact keys, and key prefixes (`under`). If both `keys` and `under` are absent, all keys are read. */
  keys: z.array(z.string()).max(31).optional(),
  under: z.array(z.string()).max(10).optional(),
  /** Range of keys; both ends are inclusive. */
  between: z.tuple([z.string(), z.string()]).optional(),
  /** Range of days; both ends are inclusive. */
  since: day.optional(),
  until: day.optional(),
  by: z.array(z.enum(['day', 'key'])).max(2),
  /** Part of the key to sum by, counted from 1. Parts are separated by `/`. */
  part: z.int().min(1).max(3).optional(),
  /** True groups by month `YYYY-MM` instead of day, also in keys. */
  months: z.boolean().optional(),
  /** Maximum number of sums; the largest are returned. */
  largest: z.int().min(1).max(100).optional(),
})
export type DayCountQuery = z.infer<typeof DayCountQuery>

/** `value` is decimal digits. `key` and `day` are null when sums are not grouped by them. */
export const DayCount = z.object({ key: z.string().nullable(), day: z.string().nullable(), value: z.string() })
export type DayCount = z.infer<typeof DayCount>

/** The operation with which admin reads the counters of a service. */
export const dayCountsOf = (service: string) =>
  operation(`${service}.day-count.read`, {
    viewer: internal(),
    large: true,
    input: z.object({ queries: z.array(DayCountQuery).max(30) }),
    output: z.object({ results: z.array(z.array(DayCount)) }),
    about: 'Sums of counters by day, one list per query, for the dashboard of staff.',
  })
