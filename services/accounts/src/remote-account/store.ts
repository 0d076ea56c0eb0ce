/** Reads and writes remote accounts. */

import type { FeaturePolicy } from '@murmuration/contracts/accounts'
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'
import { SUSPENDED_BY_HOME_SERVER } from '../core/account/remote.rules.js'
import type { AccountRow, StoredEmoji, StoredField, StoredPicture } from '../core/account/store.js'
import { type Decisions, NO_DECISIONS } from './decision.store.js'
import { RULE } from './rules.js'

/** Actor ids with this inbox and without a shared inbox. Actors whose profile was fetched longest ago come first. */
export const urisAtInbox = async (db: Reader, inbox: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ uri: string }>(sql`select uri from accounts
      where inbox_url = ${inbox} and shared_inbox_url is null and domain is not null and removed_at is null
      order by fetched_at nulls first, id limit ${limit}`)
  ).map((row) => row.uri)

export interface RemoteProfile {
  id: string
  uri: string
  username: string
  domain: string
  type: AccountRow['type']
  url: string
  displayName: string
  noteHtml: string
  fields: StoredField[]
  emojis: StoredEmoji[]
  avatar: StoredPicture | null
  avatarDescription: string
  avatarRemoteUrl: string | null
  header: StoredPicture | null
  headerDescription: string
  headerRemoteUrl: string | null
  locked: boolean
  discoverable: boolean
  indexable: boolean
  hideCollections: boolean | null
  memorial: boolean
  showFeatured: boolean
  showMedia: boolean
  showMediaReplies: boolean
  attributionDomains: readonly string[]
  alsoKnownAs: readonly string[]
  movedToUri: string | null
  inboxUrl: string
  sharedInboxUrl: string | null
  outboxUrl: string | null
  followersUrl: string | null
  followingUrl: string | null
  featuredUrl: string | null
  featuredTagsUrl: string | null
  featuredCollectionsUrl: string | null
  featurePolicy: FeaturePolicy | null
  followersCount: number | null
  followingCount: number | null
  statusesCount: number | null
  /** Stamp of the domain rule that limits the account if it is new, or if the domain of its handle changed. */
  silencedBy: string | null
  /** Stamp of the block of the former domain of its handle; null if there is none. */
  formerBlock: string | null
  /** True if the actor document states that the account's own server suspended the account. */
  suspended: boolean
  createdAt: Date
  at: Date
  /** Time when the fetch of the account began. */
  readAt: Date
}

/**
 * Renames accounts with the handle of another actor id, because their server assigned it to the new actor. Returns the
 * renamed ids.
 */
export const releaseHandle = async (
  tx: Tx,
  holder: { username: string; domain: string; uri: string },
): Promise<string[]> => {
  const rows = await tx.rows<{
    id: string
  }>(sql`update accounts set username = username || '~' || id, fetched_at = null, fetch_after = null
    where lower(username) = ${holder.username.toLowerCase()} and coalesce(domain, '') = ${holder.domain}
      and uri <> ${holder.uri} returning id`)
  return rows.map((row) => row.id)
}

/**
 * Inserts or updates a remote account. `fresh`: the account was not stored before. Decisions of local moderators stay.
 * @param kept decisions of staff from before the account was removed, for an account that is stored again
 */
export const upsertRemote = async (
  tx: Tx,
  p: RemoteProfile,
  kept: Decisions = NO_DECISIONS,
): Promise<{ id: string; fresh: boolean }> => {
  const { at: silencedAt, by: silencedBy } =
    kept.silenced ?? (p.silencedBy === null ? { at: null, by: null } : { at: p.at, by: p.silencedBy })
  const { at: suspendedAt, by: suspendedBy } =
    kept.suspended ?? (p.suspended ? { at: p.at, by: SUSPENDED_BY_HOME_SERVER } : { at: null, by: null })
  // A limit or an exemption by staff stays when the domain of the handle changes.
  const isRuledAnew = sql`accounts.domain <> excluded.domain and ((accounts.silenced_at is null and accounts.silenced_by is null)
    or starts_with(accounts.silenced_by, ${RULE}) or accounts.silenced_by = ${p.formerBlock}::text)`
  // The block of a former domain no longer applies, unless it also blocks the new one. Such an account is refused before.
  const isBlockEnded = sql`accounts.domain <> excluded.domain and accounts.removed_at is null
    and accounts.suspended_by = ${p.formerBlock}::text`
  const isReleased = sql`((accounts.suspended_by = ${SUSPENDED_BY_HOME_SERVER} and excluded.suspended_at is null) or (${isBlockEnded}))`
  const row = await tx.row<{ id: string; fresh: boolean }>(sql`insert into accounts (
      id, username, domain, uri, url, type, display_name, note_html, fields_html, emojis,
      avatar, avatar_description, avatar_remote_url, header, header_description, header_remote_url,
      locked, discoverable, indexable, hide_collections, memorial, show_featured, show_media,
      show_media_replies, attribution_domains, also_known_as, moved_to_uri,
      silenced_at, silenced_by, suspended_at, suspended_by, sensitized_at,
      inbox_url, shared_inbox_url, outbox_url, followers_url, following_url, featured_url, featured_tags_url,
      featured_collections_url, feature_policy, remote_followers_count, remote_following_count, remote_statuses_count, fetched_at, created_at)
    values (
      ${p.id}, ${p.username}, ${p.domain}, ${p.uri}, ${p.url}, ${p.type}, ${p.displayName}, ${p.noteHtml},
      ${JSON.stringify(p.fields)}, ${JSON.stringify(p.emojis)},
      ${p.avatar && JSON.stringify(p.avatar)}, ${p.avatarDescription}, ${p.avatarRemoteUrl},
      ${p.header && JSON.stringify(p.header)}, ${p.headerDescription}, ${p.headerRemoteUrl},
      ${p.locked}, ${p.discoverable}, ${p.indexable}, ${p.hideCollections}, ${p.memorial}, ${p.showFeatured}, ${p.showMedia},
      ${p.showMediaReplies}, ${p.attributionDomains}, ${p.alsoKnownAs},
      ${p.movedToUri}, ${silencedAt}, ${silencedBy}, ${suspendedAt}, ${suspendedBy}, ${kept.sensitizedAt},
      ${p.inboxUrl}, ${p.sharedInboxUrl}, ${p.outboxUrl}, ${p.followersUrl}, ${p.followingUrl}, ${p.featuredUrl}, ${p.featuredTagsUrl},
      ${p.featuredCollectionsUrl}, ${p.featurePolicy && JSON.stringify(p.featurePolicy)}, ${p.followersCount}, ${p.followingCount}, ${p.statusesCount}, ${p.readAt}, ${p.createdAt})
    on conflict (uri) do update set
      username = excluded.username, domain = excluded.domain, url = excluded.url, type = excluded.type,
      display_name = excluded.display_name, note_html = excluded.note_html, fields_html = excluded.fields_html,
      emojis = excluded.emojis,
      avatar = excluded.avatar, avatar_description = excluded.avatar_description,
      avatar_remote_url = excluded.avatar_remote_url,
      header = excluded.header, header_description = excluded.header_description,
      header_remote_url = excluded.header_remote_url,
      locked = excluded.locked, discoverable = excluded.discoverable, indexable = excluded.indexable,
      hide_collections = coalesce(excluded.hide_collections, accounts.hide_collections),
      memorial = excluded.memorial, show_featured = excluded.show_featured, show_media = excluded.show_media,
      show_media_replies = excluded.show_media_replies, attribution_domains = excluded.attribution_domains,
      also_known_as = excluded.also_known_as,
      moved_to_uri = excluded.moved_to_uri,
      moved_to_id = case when excluded.moved_to_uri is not distinct from accounts.moved_to_uri then accounts.moved_to_id end,
      silenced_at = case when ${isRuledAnew} then excluded.silenced_at else accounts.silenced_at end,
      silenced_by = case when ${isRuledAnew} then excluded.silenced_by else accounts.silenced_by end,
      suspended_at = case when accounts.suspended_at is null then excluded.suspended_at
        when ${isReleased} then excluded.suspended_at else accounts.suspended_at end,
      suspended_by = case when accounts.suspended_at is null then coalesce(excluded.suspended_by, accounts.suspended_by)
        when ${isReleased} then excluded.suspended_by
        else accounts.suspended_by end,
      inbox_url = excluded.inbox_url, shared_inbox_url = excluded.shared_inbox_url,
      outbox_url = excluded.outbox_url, followers_url = excluded.followers_url,
      following_url = excluded.following_url, featured_url = excluded.featured_url,
      featured_tags_url = excluded.featured_tags_url, featured_collections_url = excluded.featured_collections_url,
      feature_policy = excluded.feature_policy,
      remote_followers_count = coalesce(excluded.remote_followers_count, accounts.remote_followers_count),
      remote_following_count = coalesce(excluded.remote_following_count, accounts.remote_following_count),
      remote_statuses_count = coalesce(excluded.remote_statuses_count, accounts.remote_statuses_count),
      fetched_at = excluded.fetched_at, fetch_failures = 0, fetch_after = null
    where accounts.domain is not null
    returning id, xmax = 0 as fresh`)
  if (!row) throw new Error('an account of this server cannot be stored as a remote one')
  if (row.fresh) await tx.run(sql`insert into account_stats (account_id) values (${row.id})`)
  return row
}

/**
 * Stores that the server of an account was reset. Returns false if a reset was stored after `since`, or if local staff suspended the
 * account.
 */
export const recordBeginning = async (tx: Tx, id: string, at: Date, since: Date): Promise<boolean> =>
  (await tx.run(sql`update accounts set began_again_at = ${at}
    where id = ${id} and (began_again_at is null or began_again_at <= ${since})
      and (suspended_at is null or suspended_by = ${SUSPENDED_BY_HOME_SERVER})`)) > 0

/**
 * Locks the rows of an account and of the accounts that `joinMoves` links to it. The order of ids, and no row of `awaited_moves`
 * before the row of its account, prevent deadlocks of concurrent updates.
 */
export const lockMoves = async (tx: Tx, uri: string, addresses: readonly string[]): Promise<void> => {
  await tx.run(sql`select from accounts where id = any(array(select id from accounts where uri = ${uri}
      union all select account_id from awaited_moves where uri = any(${addresses}::text[])
      union all select id from accounts where moved_to_uri = any(${addresses}::text[]) and moved_to_id is null))
    order by id for no key update`)
}

/**
 * Account that an actor moved to. Because some servers name the profile page of the target, a page of a stored account
 * is converted to its actor id.
 */
export interface MoveTarget {
  /** Actor id of the stored account. Null without a move, and if the account is not stored. */
  movedTo: string | null
  /** Address of the account if it is not stored. Until it is stored, the actor does not count as moved. */
  awaited: string | null
  /** Address of the account in the actor document; null without a move. */
  address: string | null
  /** Actor id to which `address` leads; null if `address` is the id, or if the id is unknown. */
  leadsTo: string | null
}

/**
 * Links accounts that moved: the account `id` to its target, and other accounts to the account `id`. Other accounts may
 * name `id` by any of `addresses`, such as its profile page. A target that moved itself is skipped. `target` is the target of
 * the account `id`. The address by which a document names a target is remembered (`rememberedTarget`).
 *
 * While processes of the previous release run:
 *
 * | Process of the previous release | Effect | Ends with |
 * |---|---|---|
 * | stores an account whose target is not stored | the target is in `moved_to_uri` | the target is stored |
 * | stores a target that is in `awaited_moves` | the account does not count as moved | the next update of either account |
 * | stores an account whose document names the address of its row in `move_addresses` | the account does not count as moved | the next update of the account |
 * | stores an account that cancelled its move | its row stays, and the earlier target counts once stored | the next update of the account |
 */
export const joinMoves = async (
  tx: Tx,
  { id, uri, addresses, target }: { id: string; uri: string; addresses: readonly string[]; target?: MoveTarget },
): Promise<void> => {
  const { awaited = null, address = null, leadsTo = null } = target ?? {}
  await tx.run(sql`with stored as (insert into awaited_moves (account_id, uri)
        select ${id}::bigint, ${awaited}::text where ${awaited}::text is not null
        on conflict (account_id) do update set uri = excluded.uri),
      cleared as (delete from awaited_moves where account_id = ${id} and ${awaited}::text is null),
      remembered as (insert into move_addresses (account_id, address, target_uri)
        select ${id}::bigint, ${address}::text, ${leadsTo}::text where ${leadsTo}::text is not null
        on conflict (account_id) do update set address = excluded.address, target_uri = excluded.target_uri),
      forgotten as (delete from move_addresses
        where account_id = ${id} and ${leadsTo}::text is null and address is distinct from ${address}::text)
    update accounts a set moved_to_id = target.id from accounts target
    where a.id = ${id} and a.moved_to_uri is not null and target.uri = a.moved_to_uri
      and target.moved_to_uri is null and target.id <> a.id and a.moved_to_id is distinct from target.id`)
  // An account with a target in `moved_to_uri` was stored by the previous release after its row in `awaited_moves`.
  await tx.run(sql`with due as (delete from awaited_moves where uri = any(${addresses}::text[]) and account_id <> ${id}
        returning account_id, uri),
      others as (select o.id as account_id, due.uri as address
          from due join accounts o on o.id = due.account_id and o.moved_to_uri is null
        union all select o.id, o.moved_to_uri from accounts o join accounts self on self.id = ${id} and self.moved_to_uri is null
          where o.moved_to_uri = any(${addresses}::text[]) and o.moved_to_id is null and o.id <> ${id}),
      remembered as (insert into move_addresses (account_id, address, target_uri)
        select account_id, address, ${uri} from others where address <> ${uri} order by account_id
        on conflict (account_id) do update set address = excluded.address, target_uri = excluded.target_uri)
    update accounts a set moved_to_uri = ${uri}, moved_to_id = case when self.moved_to_uri is null then self.id end
    from others, accounts self where self.id = ${id} and a.id = others.account_id`)
}

/**
 * Actor id to which an address led that the document of a moved account names; null if it is unknown. The server of the
 * address is not asked again while the document is unchanged.
 */
export const rememberedTarget = async (db: Reader, uri: string, address: string): Promise<string | null> =>
  (
    await db.row<{ target_uri: string }>(sql`select m.target_uri from accounts a
      join move_addresses m on m.account_id = a.id where a.uri = ${uri} and m.address = ${address}`)
  )?.target_uri ?? null

/** Whether a stored account moved to this address, and its target is not stored. */
export const isAwaitedTarget = async (db: Reader, uri: string): Promise<boolean> =>
  (await db.row(sql`select 1 from awaited_moves where uri = ${uri}
    union all select 1 from accounts where moved_to_uri = ${uri} and moved_to_id is null limit 1`)) !== null

/** Stores the inbox of a remote account in its follows and requests. */
export const moveInbox = async (tx: Tx, id: string, inbox: string | null): Promise<void> => {
  await tx.run(
    sql`update follows set inbox = ${inbox}::text where account_id = ${id} and inbox is distinct from ${inbox}::text`,
  )
  await tx.run(
    sql`update follow_requests set inbox = ${inbox}::text where account_id = ${id} and inbox is distinct from ${inbox}::text`,
  )
}

/** Stored pictures of a remote account with their source URLs. Pictures with an unchanged source URL are kept. */
export const remotePictures = (
  db: Reader,
  uri: string,
): Promise<{
  id: string
  avatar_remote_url: string | null
  avatar: StoredPicture | null
  header_remote_url: string | null
  header: StoredPicture | null
  featured_tags_url: string | null
} | null> =>
  db.row(sql`select id, avatar_remote_url, avatar, header_remote_url, header, featured_tags_url
    from accounts where uri = ${uri}`)

/** Source URLs of pictures of remote accounts. */
export const picturesByIds = (
  db: Reader,
  ids: readonly string[],
): Promise<{ id: string; avatar: string | null; header: string | null }[]> =>
  db.rows(sql`select id, avatar_remote_url as avatar, header_remote_url as header from accounts
    where id = any(${bigints(ids)}) and domain is not null`)

/** Deletes a remote account with all dependent rows. */
export const deleteRemote = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`delete from accounts where id = ${id} and domain is not null`)) > 0

/** Counts a failed fetch. Returns the number of consecutive failures. */
export const countFailure = async (tx: Tx, id: string): Promise<number> =>
  (
    await tx.row<{ n: number }>(sql`update accounts set fetch_failures = least(fetch_failures + 1, 1000)
      where id = ${id} and domain is not null returning fetch_failures as n`)
  )?.n ?? 0

export const setFetchAfter = (tx: Tx, id: string, until: Date): Promise<number> =>
  tx.run(sql`update accounts set fetch_after = ${until} where id = ${id}`)
