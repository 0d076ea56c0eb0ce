/**
 * Reads the columns of accounts that other services need. Because account records are read very often, no other columns
 * are read.
 */
import { bigints, type Reader, type Sql, sql, texts } from '@murmuration/db'
import { MAX_STATING } from '../address/page.rules.js'
import type { PreferenceRow } from '../preference/store.js'
import { type AccountRow, type HandleKey, moderationColumns } from './store.js'

export type RecordRow = Pick<
  AccountRow,
  | 'id'
  | 'username'
  | 'domain'
  | 'uri'
  | 'url'
  | 'type'
  | 'display_name'
  | 'locked'
  | 'discoverable'
  | 'indexable'
  | 'silenced'
  | 'suspended'
  | 'sensitized'
  | 'usable'
  | 'created_at'
  | 'inbox_url'
  | 'shared_inbox_url'
  | 'followers_url'
  | 'outbox_url'
  | 'featured_url'
  | 'featured_collections_url'
  | 'moved_to_id'
  | 'role'
>

/** Preferences of an account that apply to new statuses. */
export type PostingRow = Pick<
  PreferenceRow,
  | 'locked'
  | 'locale'
  | 'default_privacy'
  | 'default_sensitive'
  | 'default_language'
  | 'default_quote_policy'
  | 'show_application'
  | 'aggregate_reblogs'
  | 'chosen_languages'
>

const columns = sql`a.id, a.username, a.domain, a.uri, a.url, a.type, a.display_name, a.locked, a.discoverable, a.indexable,
  ${moderationColumns}, a.created_at,
  a.inbox_url, a.shared_inbox_url, a.followers_url, a.outbox_url, a.featured_url, a.featured_collections_url, a.moved_to_id`

const select = (source: Sql): Sql => sql`select ${columns} from ${source}
  left join users u on u.account_id = a.id
  left join roles r on r.id = u.role_id and r.highlighted`

/** Account records by id, in order of ids. Unknown and removed accounts are left out. */
export const recordsByIds = async (db: Reader, ids: readonly string[]): Promise<RecordRow[]> =>
  ids.length === 0
    ? []
    : db.rows(sql`${select(sql`accounts a`)} where a.id = any(${bigints(ids)}) and a.removed_at is null order by a.id`)

/** Account records by actor id. Unknown and removed accounts are left out. */
export const recordsByUris = async (db: Reader, uris: readonly string[]): Promise<RecordRow[]> =>
  uris.length === 0
    ? []
    : db.rows(sql`${select(sql`accounts a`)} where a.uri = any(${texts(uris)}) and a.removed_at is null`)

/** Account records of remote accounts by the address of their profile page, at most `MAX_STATING` for each page. */
export const recordsByPages = async (db: Reader, pages: readonly string[]): Promise<RecordRow[]> =>
  pages.length === 0
    ? []
    : db.rows(
        select(sql`(select distinct page from unnest(${texts(pages)}) as page) wanted
          cross join lateral (select * from accounts one where one.url = wanted.page and one.domain is not null
            and one.removed_at is null limit ${MAX_STATING}) a`),
      )

/** Account records by handle. Unknown and removed accounts are left out. */
export const recordsByHandles = async (db: Reader, handles: readonly HandleKey[]): Promise<RecordRow[]> =>
  handles.length === 0
    ? []
    : db.rows(
        select(sql`unnest(${handles.map((one) => one.username)}::text[], ${handles.map((one) => one.domain ?? '')}::text[])
            as wanted(username, domain)
          join accounts a on lower(a.username) = wanted.username and coalesce(a.domain, '') = wanted.domain
            and a.removed_at is null`),
      )

/**
 * Record of a local account with its posting preferences; null for remote and unknown accounts. `disabled`: true if its user cannot
 * sign in.
 */
export const authorById = (db: Reader, id: string): Promise<(RecordRow & PostingRow & { disabled: boolean }) | null> =>
  db.row(sql`select ${columns}, u.disabled or a.memorial as disabled, u.locale, p.default_privacy, p.default_sensitive, p.default_language, p.default_quote_policy,
      p.show_application, p.aggregate_reblogs, p.chosen_languages
    from accounts a join users u on u.account_id = a.id join preferences p on p.account_id = a.id
    left join roles r on r.id = u.role_id and r.highlighted
    where a.id = ${id} and a.removed_at is null`)
