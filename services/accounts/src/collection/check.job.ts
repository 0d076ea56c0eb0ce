/**
 * Job that completes a remote collection: fetches items by address, resolves unknown accounts, and fetches feature
 * authorizations.
 */
import { checkCollectionJob, type RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { fetchFeatureAuthorization, fetchFeaturedItem } from '@murmuration/contracts/federation'
import { defectIn, Failure, isRetryable, notYet, olderNames } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { lockName } from '../core/lock.store.js'
import { work } from '../handlers.js'
import { lookUpAccount } from '../remote-account/index.js'
import { knownItems, setPendingStates, waitingItems } from './remote.store.js'
import { storeRemoteItems } from './remote-items.js'
import { type CollectionRow, collectionById } from './store.js'

/** Results of several requests to other servers. `later`: true if a request failed temporarily, so that a retry may return more. */
interface Found<T> {
  found: T[]
  later: boolean
}

/** Sends one request per element, concurrently. A failed request does not affect the requests of the other elements. */
const fetchEach = async <T, R>(
  ctx: Context,
  all: readonly T[],
  fetchOne: (one: T) => Promise<{ found: R | null; later: boolean }>,
): Promise<Found<R>> => {
  const results = await Promise.all(
    all.map((one) =>
      fetchOne(one).catch((error) => {
        if (!(error instanceof Failure)) throw error
        ctx.log.debug({ error, asked: one }, 'an item of a collection cannot be read')
        return { found: null, later: isRetryable(error) || defectIn(error) !== null }
      }),
    ),
  )
  return {
    found: results.flatMap(({ found }) => (found === null ? [] : [found])),
    later: results.some(({ later }) => later),
  }
}

const readNamed = async (ctx: Context, row: CollectionRow, named: readonly string[]) => {
  const known = await knownItems(ctx.db, row.id, named)
  return fetchEach(
    ctx,
    named.filter((uri) => !known.has(uri)),
    async (uri) => {
      const { outcome, item } = await ctx.call(fetchFeaturedItem, { uri, collection: row.uri ?? '' })
      return { found: item, later: outcome === 'later' }
    },
  )
}

const resolveUnknown = (ctx: Context, unknown: readonly RemoteCollectionItem[]) =>
  fetchEach(ctx, unknown, async (one) => {
    const { row, later } = await lookUpAccount(ctx, { uri: one.account, behind: true })
    return { found: row === null ? null : one, later }
  })

/**
 * Fetches the authorizations of pending items and stores whether each is accepted. Returns true if an authorization could not be
 * fetched now, so that a retry is needed.
 */
const prove = async (ctx: Context, row: CollectionRow, items: readonly string[]): Promise<boolean> => {
  const waiting = await waitingItems(ctx.db, row.id, items)
  const { found, later } = await fetchEach(ctx, waiting, async (item) => {
    const claim = { authorization: item.authorization_uri, collection: row.uri ?? '', account: item.account_uri }
    const { outcome } = await ctx.call(fetchFeatureAuthorization, claim)
    const state = outcome === 'ok' ? ('accepted' as const) : ('rejected' as const)
    return outcome === 'later' ? { found: null, later: true } : { found: { ...item, state }, later: false }
  })
  await ctx.db.tx((tx) => setPendingStates(tx, found))
  return later
}

/**
 * Stores the items of a collection that were fetched. Lookups that the fetched items need are queued as further jobs.
 */
const storeFound = (ctx: Context, row: CollectionRow, items: readonly RemoteCollectionItem[]) =>
  ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${row.id}`)
    await storeRemoteItems(ctx, tx, row, { items: [...items], named: [] }, { whole: false, look: true })
  })

export const checkCollection = work(checkCollectionJob, async (ctx, { collection, ...data }, { tries }) => {
  const row = await collectionById(ctx.db, collection)
  if (!row || row.local || row.owner_suspended) return
  const [items, accounts, isProofMissing] = await Promise.all([
    readNamed(ctx, row, data.named),
    resolveUnknown(ctx, data[olderNames.unknownAccounts]),
    prove(ctx, row, data.items),
  ])
  const found = [...items.found, ...accounts.found]
  if (found.length > 0) await storeFound(ctx, row, found)
  // After the last try, the job ends without an error. The next activity about the collection, or its next fetch, queues the job again.
  if ((items.later || accounts.later || isProofMissing) && tries < checkCollectionJob.retry.times)
    throw notYet('Some items of the collection cannot be read yet')
})
