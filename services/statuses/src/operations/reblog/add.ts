/** Boosts a status; of a boost, the original. Boosting again answers with the boost that is there. */
import { accountWriter } from '@murmuration/contracts/accounts'
import { reply } from '@murmuration/contracts/kit'
import { addReblog } from '@murmuration/contracts/statuses'
import { putIntoOwn } from '../../changes/own-feed.js'
import { reblog } from '../../changes/reblog.js'
import { reblogUri } from '../../domain/address.js'
import { mayReblog, notAllowed, reblogVisibility } from '../../domain/reblog.js'
import { visibilityOf } from '../../domain/visibility.js'
import { handle } from '../../doors.js'
import { reblogOf } from '../../store/reblog.js'
import { holdAlive } from '../../store/status.js'
import { showStatus } from '../../views/status.js'
import { noStatus, visibleStatus } from '../../views/visible.js'

export const add = handle(addReblog, async (ctx, viewer, input) => {
  const [{ proper, standing }, { author, defaults }] = await Promise.all([
    visibleStatus(ctx, viewer.id, input.id),
    ctx.call(accountWriter, { id: viewer.id }),
  ])
  const original = { id: proper.id, author: proper.author_id, local: proper.local }
  const known = await reblogOf(ctx.db, viewer.id, original.id)
  if (known) return reply(await showStatus(ctx, viewer.id, known.reblog_id), { headers: { 'X-Unchanged': '1' } })
  const visibility = visibilityOf(proper.visibility)
  if (standing?.blocking || !mayReblog(viewer.id, { authorId: proper.author_id, visibility })) throw notAllowed()
  const id = ctx.ids.next()
  const uri = reblogUri(author.uri, id)
  const fresh = await ctx.db.tx(async (tx) => {
    if (!(await holdAlive(tx, original.id))) throw noStatus()
    return reblog(ctx, tx, {
      id,
      author: viewer.id,
      local: true,
      visibility: reblogVisibility(visibility, input.visibility, defaults.visibility, author.silenced),
      uri,
      url: uri,
      original,
      createdAt: ctx.clock.date(),
      push: true,
    })
  })
  if (fresh) await putIntoOwn(ctx, viewer.id, { id, original: original.id })
  const there = fresh ? id : (await reblogOf(ctx.db, viewer.id, original.id))?.reblog_id
  if (there === undefined) throw noStatus()
  return showStatus(ctx, viewer.id, there)
})
