/** Reads accounts in batches, with all columns for cards, records and actor documents. Inserts local accounts. */
import type { FeaturePolicy } from '@murmuration/contracts/accounts'
import { bigints, type Reader, type Sql, sql, type Tx, texts } from '@murmuration/db'
import { MAX_STATING } from '../address/page.rules.js'

export interface StoredField {
  name: string
  value: string
  verified_at: string | null
}
export interface StoredEmoji {
  shortcode: string
  url: string
  static_url: string
}
export interface StoredPicture {
  url: string
  static_url: string
  media_type: string
  /** Key under which the media service stores the picture of a local account. `key` is absent for remote accounts. */
  key?: string
}

export interface AccountRow {
  id: string
  username: string
  domain: string | null
  uri: string
  url: string
  type: 'Person' | 'Service' | 'Application' | 'Group' | 'Organization'
  display_name: string
  note: string
  note_html: string
  fields: StoredField[]
  fields_html: StoredField[]
  emojis: StoredEmoji[]
  avatar: StoredPicture | null
  avatar_description: string
  header: StoredPicture | null
  header_description: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  hide_collections: boolean | null
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  memorial: boolean
  attribution_domains: string[]
  also_known_as: string[]
  moved_to_id: string | null
  silenced: boolean
  suspended: boolean
  sensitized: boolean
  inbox_url: string | null
  shared_inbox_url: string | null
  followers_url: string | null
  outbox_url: string | null
  featured_url: string | null
  featured_collections_url: string | null
  /** Accounts that may feature a remote account; null if its actor does not state it. */
  feature_policy: FeaturePolicy | null
  fetched_at: Date | null
  /** Time before which a remote account is not fetched again, because its server did not respond. */
  fetch_after: Date | null
  created_at: Date
  /** The higher of the count stored here and the count that the account's own server states. */
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
  /** Whether the user is confirmed and approved. `usable` is always true for remote accounts. */
  usable: boolean
  noindex: boolean
  /** Role of the user if the role is highlighted, else null. */
  role: { id: string; name: string; color: string; position: number; permissions: number } | null
}

/** SQL columns of moderation state, usability and role, for an account `a` with its user `u` and role `r`. */
export const moderationColumns = sql`a.silenced_at is not null as silenced, a.suspended_at is not null as suspended,
  a.sensitized_at is not null as sensitized,
  a.domain is not null or coalesce(u.confirmed_at is not null and u.approved, false) as usable,
  case when r.id is not null then json_build_object('id', r.id::text, 'name', r.name, 'color', r.color,
    'position', r.position, 'permissions', r.permissions) end as role`

const columns = sql`a.id, a.username, a.domain, a.uri, a.url, a.type, a.display_name, a.note, a.note_html,
  a.fields, a.fields_html, a.emojis, a.avatar, a.avatar_description, a.header, a.header_description,
  a.locked, a.discoverable, a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured,
  a.memorial, a.attribution_domains, a.also_known_as, a.moved_to_id,
  ${moderationColumns},
  a.inbox_url, a.shared_inbox_url, a.followers_url, a.outbox_url, a.featured_url,
  a.featured_collections_url, a.feature_policy, a.fetched_at, a.fetch_after, a.created_at,
  greatest(s.followers_count, a.remote_followers_count, 0) as followers_count,
  greatest(s.following_count, a.remote_following_count, 0) as following_count,
  greatest(s.statuses_count, a.remote_statuses_count, 0) as statuses_count,
  s.last_status_at,
  coalesce(p.noindex, false) as noindex`

const tables = sql`left join account_stats s on s.account_id = a.id
  left join users u on u.account_id = a.id
  left join preferences p on p.account_id = a.id
  left join roles r on r.id = u.role_id and r.highlighted`

const select = (source: Sql): Sql => sql`select ${columns} from ${source} ${tables}`

/** Accounts by id, in order of their ids. Unknown and removed accounts are left out. */
export const accountsByIds = (db: Reader, ids: readonly string[]): Promise<AccountRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.rows(sql`${select(sql`accounts a`)} where a.id = any(${bigints(ids)}) and a.removed_at is null order by a.id`)

export const accountById = async (db: Reader, id: string): Promise<AccountRow | null> =>
  (await accountsByIds(db, [id]))[0] ?? null

/** Accounts by actor id. Unknown and removed accounts are left out. */
export const accountsByUris = (db: Reader, uris: readonly string[]): Promise<AccountRow[]> =>
  uris.length === 0
    ? Promise.resolve([])
    : db.rows(sql`${select(sql`accounts a`)} where a.uri = any(${texts(uris)}) and a.removed_at is null`)

/** Remote accounts by the address of their profile page, at most `MAX_STATING`. */
export const accountsByPage = (db: Reader, page: string): Promise<AccountRow[]> =>
  db.rows(sql`${select(sql`accounts a`)} where a.url = ${page} and a.domain is not null and a.removed_at is null
    limit ${MAX_STATING}`)

/** A handle for look-up: in lower case; the domain is null for local accounts. */
export interface HandleKey {
  username: string
  domain: string | null
}

/** Accounts by handle. Unknown and removed accounts are left out. */
export const accountsByHandles = (db: Reader, handles: readonly HandleKey[]): Promise<AccountRow[]> =>
  handles.length === 0
    ? Promise.resolve([])
    : db.rows(
        sql`${select(
          sql`unnest(${handles.map((one) => one.username)}::text[], ${handles.map((one) => one.domain ?? '')}::text[]) as wanted(username, domain)
          join accounts a on lower(a.username) = wanted.username and coalesce(a.domain, '') = wanted.domain
          and a.removed_at is null`,
        )}`,
      )

/** Stores a new local account with zero counters and default preferences. */
export const insertLocalAccount = async (
  tx: Tx,
  account: { id: string; username: string; uri: string; url: string; createdAt: Date },
): Promise<void> => {
  await tx.run(sql`insert into accounts (id, username, uri, url, created_at)
    values (${account.id}, ${account.username}, ${account.uri}, ${account.url}, ${account.createdAt})`)
  await tx.run(sql`insert into account_stats (account_id) values (${account.id})`)
  await tx.run(sql`insert into preferences (account_id) values (${account.id})`)
}
