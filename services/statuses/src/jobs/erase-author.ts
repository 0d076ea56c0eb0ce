/** Deletes what an account that is gone, or suspended for long, wrote and did, a few hundred rows at a time until nothing is left. */
import { eraseAuthor as contract, statusHint } from '@murmuration/contracts/statuses'
import { removeQuietly } from '../changes/remove.js'
import { work } from '../doors.js'
import { eraseReactionsOf } from '../emoji-reaction/index.js'
import { isSuspended } from '../store/author-flag.js'
import { addToMany } from '../store/count.js'
import { eraseFavouritesOf, eraseMarksOf, freeAddresses, someOf } from '../store/erase.js'
import { deleteFeaturedTagsOf } from '../store/featured-tag.js'
import { holdAllForChange, rowsOf } from '../store/status.js'

const BATCH = 200

export const eraseAuthor = work(contract, async (ctx, { author, suspended }, meta) => {
  // Lifted meanwhile: what is left stays.
  if (suspended && !(await isSuspended(ctx.db, author))) return
  const ids = await someOf(ctx.db, author, BATCH)
  const favourites = await ctx.db.tx(async (tx) => {
    await deleteFeaturedTagsOf(tx, author)
    const rows = await rowsOf(tx, await holdAllForChange(tx, ids))
    if (rows.size) await removeQuietly(ctx, tx, [...rows.values()])
    // Once the suspension is lifted, it may come again from where it lives.
    if (suspended) await freeAddresses(tx, [...rows.keys()])
    const counted = await eraseFavouritesOf(tx, author, BATCH)
    await addToMany(tx, 'favourites', counted, -1)
    await addToMany(tx, 'reactions', await eraseReactionsOf(tx, author, counted), -1)
    if (ids.length === 0 && counted.length === 0) await eraseMarksOf(tx, author)
    return counted
  })
  ctx.hints.send(statusHint, ids)
  if (ids.length || favourites.length)
    await ctx.queues.push(contract, { id: `${author}:${meta.id}`, data: { author, suspended } })
})
