/** Looks up who is in a collection of another server, and reads where they say that they agreed: a few at a time, one round after the other. */
import { checkCollectionJob, type RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { fetchFeatureAuthorization } from '@murmuration/contracts/federation'
import { takeItems } from '../changes/remote-collection.js'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { resolveAccount } from '../outside/resolve-account.js'
import { type CollectionRow, collectionById } from '../store/collection.js'
import { lockName } from '../store/lock.js'
import { settleWaiting, type WaitingItem, waitingItems } from '../store/remote-collection.js'

/** People that are looked up, or agreements that are read, in one round. */
const ROUND = 5

/** Those of them who could be looked up are in it like those who were known before. */
const meet = async (ctx: Context, row: CollectionRow, strangers: readonly RemoteCollectionItem[]): Promise<void> => {
  await Promise.all(
    strangers.map((one) =>
      resolveAccount(ctx, { uri: one.account }).catch((error) => {
        ctx.log.debug({ error, uri: one.account }, 'somebody in a collection cannot be looked up')
      }),
    ),
  )
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${row.id}`)
    await takeItems(ctx, tx, row, strangers, { whole: false, look: false })
  })
}

/** What cannot be read now is read when the collection is told of the next time. */
const prove = async (ctx: Context, row: CollectionRow, items: readonly WaitingItem[]): Promise<void> => {
  const proofs = await Promise.all(
    items.map(async (item) => {
      const asked = { authorization: item.authorization_uri, collection: row.uri ?? '', account: item.account_uri }
      const { outcome } = await ctx.call(fetchFeatureAuthorization, asked)
      return { ...item, outcome }
    }),
  )
  const settled = proofs
    .filter((one) => one.outcome !== 'later')
    .map((one) => ({ ...one, state: one.outcome === 'ok' ? ('accepted' as const) : ('rejected' as const) }))
  await ctx.db.tx((tx) => settleWaiting(tx, settled))
}

export const checkCollection = work(checkCollectionJob, async (ctx, { collection, strangers, after }) => {
  const row = await collectionById(ctx.db, collection)
  if (!row || row.local || row.owner_suspended) return
  const now = strangers.slice(0, ROUND)
  const later = strangers.slice(ROUND)
  if (now.length > 0) await meet(ctx, row, now)
  const items = now.length > 0 ? [] : await waitingItems(ctx.db, collection, after, ROUND)
  await prove(ctx, row, items)
  if (now.length === 0 && items.length < ROUND) return
  const next = { collection, strangers: later, after: items.at(-1)?.id ?? after }
  await ctx.db.tx((tx) => ctx.queue(tx, checkCollectionJob, next))
})
