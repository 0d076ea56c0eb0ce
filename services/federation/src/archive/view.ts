/** Converts rows of archives for the settings pages of their owner. */
import type { Archive } from '@murmuration/contracts/federation'
import { expiryOf } from '../core/archive/rules.js'
import type { ArchiveRow } from './store.js'

export const archiveView = (row: ArchiveRow): Archive => ({
  id: row.id,
  state: row.state,
  size: row.size === null ? null : Number(row.size),
  created_at: row.created_at.toISOString(),
  expires_at: row.state === 'ready' ? expiryOf(row.created_at).toISOString() : null,
})
