/** Warning presets as staff sees them. */
import type { AdminWarningPreset } from '@murmuration/contracts/entities'
import type { WarningPresetRow } from './store.js'

export const warningPresetOf = (row: WarningPresetRow): AdminWarningPreset => ({
  id: row.id,
  title: row.title,
  text: row.text,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
