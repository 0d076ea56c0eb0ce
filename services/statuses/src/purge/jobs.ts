/** Jobs that delete what an author wrote and did, and free the addresses of an author. */
import {
  eraseAuthor as eraseAuthorJob,
  statusHint,
  unburyAuthor as unburyAuthorJob,
} from '@murmuration/contracts/statuses'
import { isSuspended } from '../core/author/store.js'
import { eraseReactionsOf } from '../core/emoji-reaction/store.js'
import { addToMany } from '../core/status/count.store.js'
import { holdAllForChange, rowsOf } from '../core/status/store.js'
import { freeAddresses, takeTombstones } from '../core/status/tombstone.store.js'
import { deleteFeaturedTagsOf } from '../core/tag/featured.store.js'
import { removeQuietly } from '../deletion/index.js'
import { work } from '../handlers.js'
import { eraseFavouritesOf, eraseMarksOf, someOf } from './store.js'

/** Deletes what an account that is gone, or suspended for long, wrote and did, a few hundred rows at a time until nothing is left. */
const BATCH = 200

export const eraseAuthor = work(eraseAuthorJob, async (ctx, { author, suspended }, meta) => {
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
    await ctx.queues.push(eraseAuthorJob, { id: `${author}:${meta.id}`, data: { author, suspended } })
})

/** Forgets what an author took back before its server began again, so that addresses may come again; a page at a time, safe to repeat. */
const PAGE = 1_000

export const unburyAuthor = work(unburyAuthorJob, (ctx, page) =>
  ctx.db.tx(async (tx) => {
    const gone = await takeTombstones(tx, page.author, new Date(page.before), PAGE)
    await freeAddresses(
      tx,
      gone.flatMap((one) => one.status ?? []),
    )
    if (gone.length === PAGE) await ctx.queue(tx, unburyAuthorJob, page)
  }),
)
