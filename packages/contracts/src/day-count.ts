/**
 * Declares the operation that reads daily counters of a service for the staff dashboard: sums of metrics by key and
 * day.
 */
import { z } from 'zod'
import { internal, operation } from './kit/index.js'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export const DayCountQuery = z.object({
  metric: z.string().max(50),
  /** Exact keys of counters. `under`: key prefixes. If both `keys` and `under` are absent, the counters of all keys are read. */
  keys: z.array(z.string()).max(31).optional(),
  under: z.array(z.string()).max(10).optional(),
  /** Range of keys of counters; both ends are inclusive. */
  between: z.tuple([z.string(), z.string()]).optional(),
  /** First and last day (`until`) of the range; both are inclusive. */
  since: day.optional(),
  until: day.optional(),
  by: z.array(z.enum(['day', 'key'])).max(2),
  /** Number of the part of the key by which counters are summed, from 1. Parts are separated by `/`. */
  part: z.int().min(1).max(3).optional(),
  /** True: counters are summed by month `YYYY-MM` instead of day, also in keys that contain a day. */
  months: z.boolean().optional(),
  /** Maximum number of sums in the response; the largest sums are returned. */
  largest: z.int().min(1).max(100).optional(),
})
export type DayCountQuery = z.infer<typeof DayCountQuery>

/** A sum of counters. `value` is decimal digits. `key` and `day` are null if the counters are not summed by key or by day. */
export const DayCount = z.object({ key: z.string().nullable(), day: z.string().nullable(), value: z.string() })
export type DayCount = z.infer<typeof DayCount>

/** Declares the operation with which the admin service reads the daily counters of a service. */
export const dayCountsOf = (service: string) =>
  operation(`${service}.day-count.read`, {
    viewer: internal(),
    large: true,
    input: z.object({ queries: z.array(DayCountQuery).max(30) }),
    output: z.object({ results: z.array(z.array(DayCount)) }),
    about: 'Sums of counters by day, one list per query, for the dashboard of staff.',
  })
