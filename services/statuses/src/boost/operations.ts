/** Handlers of boosts. */
import { showAuthor } from '@murmuration/contracts/accounts'
import { reply } from '@murmuration/contracts/kit'
import {
  addReblog,
  listBoosters,
  localBoosters,
  removeReblog,
  statusInvalidation,
} from '@murmuration/contracts/statuses'
import { timeOfId } from '@murmuration/kernel'
import { reblogUri } from '../core/address/rules.js'
import { mayReblog, notAllowed, reblogVisibility, timeOfReblog } from '../core/reblog/rules.js'
import { localBoostersOf, rebloggersOf, reblogOf } from '../core/reblog/store.js'
import { accountsPage } from '../core/render/accounts-page.js'
import { showAfterUndo, showStatus } from '../core/render/show-status.js'
import { createdIfNotDeleted, lockForChange, rowOf } from '../core/status/store.js'
import { findStatus, noStatus, visibleStatus } from '../core/visibility/find-status.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { removeStatus } from '../deletion/index.js'
import { addToOwnHome } from '../feed/index.js'
import { handle } from '../handlers.js'
import { reblog } from './reblog.js'

/** Boosts a status; of a boost, the original. Returns the existing boost if there is one. */
export const add = handle(addReblog, async (ctx, viewer, input) => {
  const [{ original, relationship }, { author, defaults }] = await Promise.all([
    visibleStatus(ctx, viewer.id, input.id),
    ctx.call(showAuthor, { id: viewer.id }),
  ])
  const boosted = { id: original.id, author: original.author_id, local: original.local }
  const known = await reblogOf(ctx.db, viewer.id, original.id)
  if (known) return reply(await showStatus(ctx, viewer.id, known.reblog_id), { headers: { 'X-Unchanged': '1' } })
  const visibility = visibilityOf(original.visibility)
  if (relationship?.blocking || !mayReblog(viewer.id, { authorId: original.author_id, visibility })) throw notAllowed()
  const now = ctx.clock.now()
  const fresh = await ctx.db.tx(async (tx) => {
    const created = await createdIfNotDeleted(tx, original.id)
    if (created === null) throw noStatus()
    const at = timeOfReblog(now, { id: timeOfId(original.id), created: created.getTime() })
    // The clock of the process that stored the original may be ahead. The boost then gets its id from the later time
    // `at`, so that it is above the original.
    const id = at === now ? ctx.ids.next() : ctx.ids.at(at)
    const uri = reblogUri(author.uri, id)
    const isFresh = await reblog(ctx, tx, {
      id,
      author: viewer.id,
      local: true,
      visibility: reblogVisibility(visibility, input.visibility, defaults.visibility, author.silenced),
      uri,
      url: uri,
      original: boosted,
      createdAt: new Date(at),
      push: true,
    })
    return isFresh ? id : null
  })
  if (fresh !== null) await addToOwnHome(ctx, viewer.id, { id: fresh, original: original.id })
  const there = fresh ?? (await reblogOf(ctx.db, viewer.id, original.id))?.reblog_id
  if (there === undefined) throw noStatus()
  return showStatus(ctx, viewer.id, there)
})

/** Deletes the viewer's boost, also of a status that the viewer may no longer see (S-108). Returns the original. */
export const remove = handle(removeReblog, async (ctx, viewer, { id }) => {
  const found = await findStatus(ctx, viewer.id, id)
  if (!found || !(found.visible || found.original.reblogged)) throw noStatus()
  const known = await reblogOf(ctx.db, viewer.id, found.original.id)
  const row = known && (await rowOf(ctx.db, known.reblog_id))
  if (row) {
    await ctx.db.tx(async (tx) => {
      if (await lockForChange(tx, row.id, viewer.id)) await removeStatus(ctx, tx, row)
    })
    ctx.invalidations.send(statusInvalidation, [row.id])
  } else if (!found.visible) throw noStatus()
  return showAfterUndo(ctx, viewer.id, found.original.id)
})

/** Accounts that boosted a status publicly or unlisted, by page. */
export const listAccounts = handle(listBoosters, async (ctx, viewer, { id, ...page }) => {
  const { original } = await visibleStatus(ctx, viewer?.id ?? null, id)
  return accountsPage(ctx, viewer?.id ?? null, listBoosters.output, page, await rebloggersOf(ctx.db, original.id, page))
})

/** Local accounts that boosted a status, by page. */
export const listLocalBoosters = handle(localBoosters, async (ctx, _viewer, { status, after, limit = 1_000 }) => {
  const rows = await localBoostersOf(ctx.db, status, { after: after ?? '0', limit })
  return {
    accounts: rows.map((row) => row.account_id),
    next: rows.length === limit ? (rows.at(-1)?.reblog_id ?? null) : null,
  }
})
