/** Schemas of statistics of the staff dashboard. Most numbers are strings, because clients expect that. */
import { z } from 'zod'
import { CountText, Timestamp } from './primitive.js'

/** A measure of the staff dashboard. `previous_total` is absent for measures of one server. `human_value` is present for sizes only. */
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

/** A dimension of the staff dashboard. Its values are text, because some dimensions list software versions. */
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

/** Accounts registered in `period`, and the share (`rate`, 0 to 1) of them that was active later. */
export const AdminCohort = z
  .strictObject({
    period: Timestamp,
    frequency: z.enum(['day', 'month']),
    data: z.array(z.strictObject({ date: Timestamp, rate: z.number().min(0).max(1), value: CountText })),
  })
  .meta({ id: 'AdminCohort', description: 'Retention of the accounts that registered in one period.' })
export type AdminCohort = z.infer<typeof AdminCohort>
