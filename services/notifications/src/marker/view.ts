/** Renders marker JSON by timeline. */
import type { Markers } from '@murmuration/contracts/entities'
import type { MarkerRow } from './store.js'

export const markersJson = (rows: readonly MarkerRow[]): Markers =>
  Object.fromEntries(
    rows.map((row) => [
      row.timeline,
      { last_read_id: row.last_read_id, version: row.version, updated_at: row.updated_at.toISOString() },
    ]),
  )
