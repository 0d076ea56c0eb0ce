/** Jobs that delete the statuses and interactions of an author, and the tombstones of an author. */
import {
  eraseAuthor as eraseAuthorJob,
  removeAuthorTombstones as removeAuthorTombstonesJob,
  statusInvalidation,
} from '@murmuration/contracts/statuses'
import { queueNextOnce } from '@murmuration/kernel'
import { isSuspended } from '../core/author/store.js'
import { eraseReactionsOf } from '../core/emoji-reaction/store.js'
import { addToMany } from '../core/status/count.store.js'
import { lockAllForChange, rowsOf } from '../core/status/store.js'
import { freeAddresses, takeTombstones } from '../core/status/tombstone.store.js'
import { deleteFeaturedTagsOf } from '../core/tag/featured.store.js'
import { removeQuietly } from '../deletion/index.js'
import { work } from '../handlers.js'
import { eraseFavouritesOf, eraseMarksOf, someOf } from './store.js'

/**
 * Maximum number of statuses that one run of the job erases. The job deletes the data of a removed or long suspended account, and repeats
 * until nothing is left.
 */
const BATCH = 200

export const eraseAuthor = work(eraseAuthorJob, async (ctx, { author, suspended }, meta) => {
  // If the suspension of the author was lifted before this run, statuses that are not erased yet stay.
  if (suspended && !(await isSuspended(ctx.db, author))) return
  const ids = await someOf(ctx.db, author, BATCH)
  await ctx.db.tx(async (tx) => {
    await deleteFeaturedTagsOf(tx, author)
    const rows = await rowsOf(tx, await lockAllForChange(tx, ids))
    if (rows.size) await removeQuietly(ctx, tx, [...rows.values()])
    // The addresses of erased statuses are deleted too, so that the statuses can be fetched again after the suspension.
    if (suspended) await freeAddresses(tx, [...rows.keys()])
    const counted = await eraseFavouritesOf(tx, author, BATCH)
    await addToMany(tx, 'favourites', counted, -1)
    await addToMany(tx, 'reactions', await eraseReactionsOf(tx, author, counted), -1)
    if (ids.length === 0 && counted.length === 0) await eraseMarksOf(tx, author)
    else await queueNextOnce(tx, eraseAuthorJob, meta, () => ctx.queue(tx, eraseAuthorJob, { author, suspended }))
  })
  ctx.invalidations.send(statusInvalidation, ids)
})

/**
 * Maximum number of tombstones that one run of the job deletes. The job deletes the tombstones from before the author's
 * server was set up again, so that uris can be reused. The job can be repeated.
 */
const PAGE = 1_000

export const removeAuthorTombstones = work(removeAuthorTombstonesJob, (ctx, page, meta) =>
  ctx.db.tx(async (tx) => {
    const gone = await takeTombstones(tx, page.author, new Date(Number(page.before)), PAGE)
    await freeAddresses(
      tx,
      gone.flatMap((one) => one.status ?? []),
    )
    if (gone.length === PAGE)
      await queueNextOnce(tx, removeAuthorTombstonesJob, meta, () => ctx.queue(tx, removeAuthorTombstonesJob, page))
  }),
)
