/** Schemas of read positions in timelines. */
import { z } from 'zod'
import { Timestamp } from './primitive.js'

export const MarkerTimeline = z.enum(['home', 'notifications'])
export type MarkerTimeline = z.infer<typeof MarkerTimeline>

/** Read position in a timeline. `version` increases by one with every write. `last_read_id` is as the client sent it. */
export const Marker = z
  .strictObject({ last_read_id: z.string(), version: z.int().nonnegative(), updated_at: Timestamp })
  .meta({ id: 'Marker', description: 'Read position in one timeline.' })
export type Marker = z.infer<typeof Marker>

/** Markers by timeline. Timelines without a marker are left out. */
export const Markers = z
  .partialRecord(MarkerTimeline, Marker)
  .meta({ id: 'Markers', description: 'Markers by timeline.' })
export type Markers = z.infer<typeof Markers>
