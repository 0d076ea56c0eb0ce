/** Finds accounts, statuses and hashtags for a search, each kind as a JSON array in order. */
import {
  type AccountRecord,
  accountCards,
  accountRecords,
  collectionCards,
  findAccount,
  resolveAccount,
  resolveCollection,
} from '@murmuration/contracts/accounts'
import type { Account, Collection, Search, Status } from '@murmuration/contracts/entities'
import { fail, type Json, jsonArray } from '@murmuration/contracts/kit'
import { handleKey, normaliseTag } from '@murmuration/text'
import { canonicalAddress } from '@murmuration/text/own-address'
import type { Context } from '../context.js'
import { collectionAt, handleOfAddress, localAccountName } from '../core/address/rules.js'
import { showNamed, showStatuses } from '../core/render/show-status.js'
import { idAt } from '../core/status/id-time.rules.js'
import { findIdsInTime } from '../core/status/search.store.js'
import { showTags } from '../core/tag/show.js'
import { NO_ID } from '../core/visibility/find-status.js'
import { fetchOnce, resolveStatus } from '../remote/index.js'
import { hasCondition, type Named, type SearchQuery } from './rules.js'
import { tagsLike } from './tag.store.js'

/** Time limit of the query in milliseconds. A query of common words that few statuses match could read for long. */
const MAX_MS = 3_000
/** Maximum offset. The database would have to read and skip all results before it. */
const MAX_OFFSET = 2_000
/** One page of one kind of result: accounts, statuses or hashtags. */
export interface Slice {
  viewerId: string | null
  limit: number
  offset: number
}

interface Parts {
  accounts?: string
  statuses?: string
  hashtags?: string
  collections?: string
}

export const joined = (parts: Parts): Json<Search> =>
  `{"accounts":${parts.accounts ?? '[]'},"statuses":${parts.statuses ?? '[]'},"hashtags":${parts.hashtags ?? '[]'},"collections":${parts.collections ?? '[]'}}` as Json<Search>

const collectionBy = async (ctx: Context, viewer: string, id: string | null): Promise<Json<Collection> | null> =>
  id === null ? null : ((await ctx.call(collectionCards, { viewer, ids: [id] })).get(id) ?? null)

/** A collection of another server, found by its address. */
const farCollection = async (ctx: Context, viewer: string, url: string): Promise<Json<Collection> | null> => {
  if (URL.parse(url)?.origin === ctx.site.origin) return null
  const { id } = await ctx.call(resolveCollection, { url }).catch(() => ({ id: null }))
  return collectionBy(ctx, viewer, id)
}

/** `collection`: id of the collection that was found instead of an account. */
type FoundRecord = { record: AccountRecord | null; collection?: string | null }

/** The account with this actor id or page, or with the handle in an address of this server. */
const accountBy = (ctx: Context, url: string): Promise<FoundRecord> => {
  const name = localAccountName(ctx.site.origin, url) ?? handleOfAddress(ctx.site.origin, url)
  return ctx.call(resolveAccount, name === null ? { uri: url } : { handle: name }).catch(() => ({ record: null }))
}

/**
 * The account or collection to which the fetched address leads on another host, such as after a change of the domain.
 * An address that leads to this server can denote a local account or collection. A remote account is resolved by the id
 * of the fetched actor, not by the address.
 */
const foundElsewhere = async (ctx: Context, fetched: ReturnType<typeof fetchOnce>): Promise<FoundRecord> => {
  const { actor, local } = await fetched().catch(() => ({ actor: null, local: undefined }))
  if (actor !== null) return ctx.call(resolveAccount, { uri: actor.uri }).catch(() => ({ record: null }))
  if (local === undefined) return { record: null }
  const address = canonicalAddress(ctx, local)
  const collection = collectionAt(ctx.site.origin, address)
  return collection === null ? accountBy(ctx, address) : { record: null, collection }
}

/**
 * The status, account or collection at an address; fetched if unknown. Null if there is none that the viewer may see. The
 * object is fetched once, so that a hidden status causes the same requests as a missing one.
 */
export const atAddress = async (
  ctx: Context,
  viewerId: string,
  address: string,
): Promise<{ status: Json<Status> } | { account: Json<Account> } | { collection: Json<Collection> } | null> => {
  const url = canonicalAddress(ctx, address)
  const collection = await collectionBy(ctx, viewerId, collectionAt(ctx.site.origin, url))
  if (collection !== null) return { collection }
  const fetched = fetchOnce(ctx, url)
  const id = await resolveStatus(ctx, url, { fetch: fetched })
  const status = (await showNamed(ctx, viewerId, [id ?? NO_ID])).get(id ?? NO_ID)
  if (status !== undefined) return { status }
  const known = await accountBy(ctx, url)
  const { record, collection: led = null } = known.record ? known : await foundElsewhere(ctx, fetched)
  const account = record ? (await ctx.call(accountCards, { ids: [record.id] })).get(record.id) : undefined
  if (account !== undefined) return { account }
  const far = (await collectionBy(ctx, viewerId, led)) ?? (await farCollection(ctx, viewerId, url))
  return far === null ? null : { collection: far }
}

export const foundAccounts = async (
  ctx: Context,
  q: string,
  { viewerId: viewer, ...slice }: Slice,
  wanted: { exact: boolean; resolve: boolean; following: boolean },
): Promise<string> => {
  const { ids } = await ctx.call(findAccount, { viewer, q, ...slice, ...wanted })
  const cards = await ctx.accountCards.many(ids)
  return jsonArray(ids.flatMap((id) => cards.get(id) ?? []))
}

export const foundTags = async (
  ctx: Context,
  q: string,
  { viewerId, ...slice }: Slice,
  wanted: { reviewed: boolean },
): Promise<string> => {
  const name = normaliseTag(q.replace(/^[#＃]/, ''))
  return JSON.stringify(await showTags(ctx, viewerId, await tagsLike(ctx.db, { name, ...slice, ...wanted })))
}

export interface Author {
  id: string
  not: boolean
}

/** Ids of the accounts that a query names. Throws 404 for an unknown account. No request to another server is sent. */
export const namedAuthors = async (
  ctx: Context,
  viewerId: string | null,
  from: SearchQuery['from'],
  accountId: string | undefined,
): Promise<Author[]> => {
  const { handleDomains } = ctx.site
  const keyOf = (named: Named) => (named === 'me' ? null : handleKey(named, handleDomains))
  const handles = [...new Set(from.flatMap((one) => keyOf(one.named) ?? []))]
  const ids = accountId === undefined ? [] : [accountId]
  if (from.length + ids.length === 0) return []
  const { records } = handles.length + ids.length ? await ctx.call(accountRecords, { handles, ids }) : { records: [] }
  const usable = records.filter((one) => one.usable && !one.suspended)
  const known = new Map(usable.map((one) => [handleKey(one, handleDomains), one.id]))
  const idOf = (named: Named): string => {
    const id = named === 'me' ? viewerId : known.get(keyOf(named) ?? '')
    if (!id) throw fail('not_found', 'Not Found')
    return id
  }
  if (ids.some((id) => !usable.some((one) => one.id === id))) throw fail('not_found', 'Record not found')
  return [...from.map(({ named, not }) => ({ id: idOf(named), not })), ...ids.map((id) => ({ id, not: false }))]
}

/**
 * Statuses for a viewer, newest first. Statuses that the viewer may not see, or hides, are removed after the search, so
 * a page may be short.
 */
export const foundStatuses = async (
  ctx: Context,
  query: SearchQuery,
  authors: readonly Author[],
  page: { viewerId: string; limit: number; offset: number; maxId: string | null; minId: string | null },
): Promise<string> => {
  if (!hasCondition(query) || page.limit === 0 || page.offset > MAX_OFFSET) return '[]'
  const { viewerId, ...rest } = page
  const spans = query.spans.map(({ from, to, not }) => ({ from: idAt(from), to: idAt(to), not }))
  const wanted = { ...query, ...rest, spans, authors, viewer: viewerId }
  const ids = await ctx.db.tx((tx) => findIdsInTime(tx, wanted, MAX_MS))
  return jsonArray([...(await showStatuses(ctx, viewerId, ids, 'search')).values()])
}
