/** The job that fetches the latest and pinned statuses of a remote account from its outbox and featured collection. */
import { type AccountRecord, accountRecords } from '@murmuration/contracts/accounts'
import { type FetchedNote, fetchCollection } from '@murmuration/contracts/federation'
import { Failure, isDefectOfOther, isRetryable, notYet } from '@murmuration/contracts/kit'
import { fetchAuthorStatuses as fetchAuthorJob } from '@murmuration/contracts/statuses'
import { mapLimited } from '@murmuration/flow'
import type { Context } from '../context.js'
import { pinVersion } from '../core/status/pin.store.js'
import { isOfOrigin } from '../core/status/remote.rules.js'
import { rowsOf, type StatusRow } from '../core/status/store.js'
import { mergeAccountIntoHome } from '../feed/index.js'
import { work } from '../handlers.js'
import { MAX_REMOTE_PINS, setRemotePins } from '../pin/index.js'
import { isWrittenBy, reachStatus, storeNote } from './resolve.js'

/** Maximum number of statuses from the outbox, and of requests for each of the two collections. */
const LATEST = 20
const PAGES = 3
const AT_ONCE = 4
/** Levels fetched with each status: no parents, because reading the thread fetches them, and one level of quotes. */
const PARENTS = 0
const QUOTES = 1

/** `complete`: every page of the collection was read. */
type Found = { ids: string[]; outcome: 'ok' | 'later' | 'none'; complete: boolean }
type Item = { uri: string; note: FetchedNote | null }

/** Stores or finds one status. `later`: the status could not be read or stored now. */
const storeOne = async (ctx: Context, author: AccountRecord, { uri, note }: Item) => {
  try {
    if (note === null) {
      const reach = { depth: PARENTS, quotes: QUOTES, behind: true, exact: true, by: author }
      return await reachStatus(ctx, uri, reach)
    }
    const isBy = await isWrittenBy(ctx, note, author)
    const stored = isBy.ok ? await storeNote(ctx, note, PARENTS, QUOTES) : null
    return { id: stored?.id ?? null, later: isBy.later }
  } catch (error) {
    // A status that cannot be read does not affect the others.
    if (isDefectOfOther(error)) {
      ctx.log.warn({ error, address: uri }, 'a status of an account was not stored')
      return { id: null, later: true }
    }
    if (error instanceof Failure) return { id: null, later: isRetryable(error) }
    throw error
  }
}

/**
 * Ids of the account's own statuses in one of its collections, stored here. `later` if some could not be read. A
 * collection that the actor does not have (`url` is null) is read as an empty one.
 */
const fetchList = async (
  ctx: Context,
  author: AccountRecord,
  url: string | null | undefined,
  bounds: { max: number; pages: number; fresh?: boolean },
): Promise<Found> => {
  if (url === null) return { ids: [], outcome: 'ok', complete: true }
  if (!url || !isOfOrigin(url, author.uri)) return { ids: [], outcome: 'none', complete: false }
  const { outcome, items, next, partial } = await ctx.call(fetchCollection, {
    url,
    most: bounds.max,
    pages: bounds.pages,
    fresh: bounds.fresh,
  })
  if (outcome !== 'ok') return { ids: [], outcome: outcome === 'later' ? 'later' : 'none', complete: false }
  const own = items.filter((item) => isOfOrigin(item.uri, author.uri))
  const found = await mapLimited(own, AT_ONCE, (item) => storeOne(ctx, author, item))
  const ids = found.map((one) => one.id).filter((id) => id !== null)
  const rows = await rowsOf(ctx.db, ids)
  const isOwn = (row: StatusRow | undefined) => row?.author_id === author.id && row.reblog_of_id === null
  return {
    ids: ids.filter((id) => isOwn(rows.get(id))),
    outcome: found.some((one) => one.later) ? 'later' : 'ok',
    complete: next === null && !partial,
  }
}

/**
 * Fetches and stores the pins of an account. Returns null if a pin, unpin or another list was stored meanwhile, so that
 * the fetched list may be older.
 */
const fetchPins = async (ctx: Context, author: AccountRecord): Promise<Found['outcome'] | null> => {
  const version = await pinVersion(ctx.db, author.id)
  // `fresh` avoids a cached response, because two Updates may be received within the time for which a read is cached.
  const bounds = { max: MAX_REMOTE_PINS, pages: PAGES, fresh: true }
  const { ids, outcome, complete } = await fetchList(ctx, author, author.featured_url, bounds)
  if (outcome !== 'ok' && ids.length === 0) return outcome
  const list = { statuses: [...new Set(ids)], complete: outcome === 'ok' && complete, version }
  return (await setRemotePins(ctx, author.id, list)) ? outcome : null
}

export const fetchAuthorStatuses = work(fetchAuthorJob, async (ctx, { account, what, reader }, { tries }) => {
  const { records } = await ctx.call(accountRecords, { ids: [account] })
  const [author] = records
  if (!author || author.domain === null || author.suspended) return
  const [latest, pins] = await Promise.all([
    what === 'all' ? fetchList(ctx, author, author.outbox_url, { max: LATEST, pages: PAGES }) : null,
    // An outdated list is fetched again, once now, and then with the next try of the job.
    fetchPins(ctx, author).then(async (outcome) => outcome ?? (await fetchPins(ctx, author)) ?? 'later'),
  ])
  if (reader !== null && latest?.ids.length) await mergeAccountIntoHome(ctx, reader, account)
  // After the last try, the collections are not read until the next refetch of the account.
  if ([latest?.outcome, pins].includes('later') && tries < fetchAuthorJob.retry.times)
    throw notYet('The collections of the account cannot be read yet')
})
