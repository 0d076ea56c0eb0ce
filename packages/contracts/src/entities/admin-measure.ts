/** Numbers for the dashboard of moderators. Clients expect most of them as strings. */
import { z } from 'zod'
import { CountText, Timestamp } from './primitive.js'

/** `previous_total` is absent for measures of one server; `human_value` belongs to sizes. */
export const AdminMeasure = z
  .strictObject({
    key: z.string().min(1),
    unit: z.string().nullable(),
    total: CountText,
    human_value: z.string().optional(),
    previous_total: CountText.optional(),
    data: z.array(z.strictObject({ date: Timestamp, value: CountText })),
  })
  .meta({ id: 'AdminMeasure', description: 'A number over time.' })
export type AdminMeasure = z.infer<typeof AdminMeasure>

/** Values are text, since versions of software are listed like sizes are. */
export const AdminDimension = z
  .strictObject({
    key: z.string().min(1),
    data: z.array(
      z.strictObject({
        key: z.string(),
        human_key: z.string(),
        value: z.string(),
        unit: z.string().optional(),
        human_value: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'AdminDimension', description: 'A number split by kind.' })
export type AdminDimension = z.infer<typeof AdminDimension>

/** People who signed up in `period` and the share (`rate`, 0 to 1) of them active later. */
export const AdminCohort = z
  .strictObject({
    period: Timestamp,
    frequency: z.enum(['day', 'month']),
    data: z.array(z.strictObject({ date: Timestamp, rate: z.number().min(0).max(1), value: CountText })),
  })
  .meta({ id: 'AdminCohort', description: 'How many of those who came stayed.' })
export type AdminCohort = z.infer<typeof AdminCohort>
