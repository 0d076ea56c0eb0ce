/** Converts rows to account records: the fields of accounts that other services need for decisions. */
import type { AccountRecord, AuthorFlags } from '@murmuration/contracts/accounts'
import type { RecordRow } from './record.store.js'
import type { AccountRow } from './store.js'
import { acctOf } from './view.js'

export const recordOf = (row: RecordRow): AccountRecord => ({
  id: row.id,
  username: row.username,
  domain: row.domain,
  uri: row.uri,
  url: row.url,
  acct: acctOf(row),
  display_name: row.display_name,
  locked: row.locked,
  bot: row.type === 'Service' || row.type === 'Application',
  group: row.type === 'Group',
  discoverable: row.discoverable ?? false,
  indexable: row.indexable,
  silenced: row.silenced,
  suspended: row.suspended,
  sensitized: row.sensitized,
  usable: row.usable,
  created_at: row.created_at.toISOString(),
  inbox_url: row.inbox_url,
  shared_inbox_url: row.shared_inbox_url,
  followers_url: row.followers_url,
  outbox_url: row.outbox_url,
  featured_url: row.featured_url,
  featured_collections_url: row.featured_collections_url,
  moved_to_id: row.moved_to_id,
  role: row.role && { position: row.role.position, permissions: row.role.permissions, highlighted: true },
})

/** Flags of an account that other services store for their own queries. */
export const flagsOf = (row: AccountRow): AuthorFlags => ({
  local: row.domain === null,
  silenced: row.silenced,
  suspended: row.suspended,
  sensitized: row.sensitized,
  discoverable: row.discoverable ?? false,
  indexable: row.indexable,
  domain: row.domain,
})
