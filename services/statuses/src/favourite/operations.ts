/** Handlers of favourites. */
import { fail } from '@murmuration/contracts/kit'
import { addFavourite, listFavouriters, listFavourites, removeFavourite } from '@murmuration/contracts/statuses'
import { accountsPage } from '../core/render/accounts-page.js'
import { markedPage } from '../core/render/marked-page.js'
import { showAfterUndo, showStatus } from '../core/render/show-status.js'
import { lockIfNotDeleted } from '../core/status/store.js'
import { findStatus, noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { handle } from '../handlers.js'
import { favourite, unfavourite } from './favourite.js'
import { favouritersOf, favouritesOf } from './store.js'

/** Favourites a status; of a boost, the original. */
export const add = handle(addFavourite, async (ctx, viewer, { id }) => {
  const { original, relationship } = await visibleStatus(ctx, viewer.id, id)
  if (relationship?.blocking) throw fail('forbidden', 'This action is not allowed')
  const status = { id: original.id, uri: original.uri, author: original.author_id, authorLocal: original.local }
  await ctx.db.tx(async (tx) => {
    if (!(await lockIfNotDeleted(tx, original.id))) throw noStatus()
    await favourite(ctx, tx, status, { id: viewer.id, local: true }, null)
  })
  return showStatus(ctx, viewer.id, id)
})

/** Deletes the viewer's favourite, also of a status that the viewer may no longer see (S-108, S-109). */
export const remove = handle(removeFavourite, async (ctx, viewer, { id }) => {
  const found = await findStatus(ctx, viewer.id, id)
  if (!found || !(found.visible || found.original.favourited)) throw noStatus()
  const { original } = found
  const status = { id: original.id, uri: original.uri, author: original.author_id, authorLocal: original.local }
  const undone = await ctx.db.tx((tx) => unfavourite(ctx, tx, status, { id: viewer.id, local: true }))
  if (!undone && !found.visible) throw noStatus()
  return showAfterUndo(ctx, viewer.id, id)
})

/** Statuses that the viewer favourited, latest favourite first. */
export const list = handle(listFavourites, async (ctx, viewer, page) =>
  markedPage(ctx, viewer.id, listFavourites.output, page, await favouritesOf(ctx.db, viewer.id, page)),
)

/** Accounts that favourited a status. */
export const listAccounts = handle(listFavouriters, async (ctx, viewer, { id, ...page }) => {
  const { original } = await visibleStatus(ctx, viewer?.id ?? null, id)
  return accountsPage(
    ctx,
    viewer?.id ?? null,
    listFavouriters.output,
    page,
    await favouritersOf(ctx.db, original.id, page),
  )
})
