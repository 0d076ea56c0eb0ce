/** Handlers of mutes. */
import { splice } from '@murmuration/cards'
import { createMute, listMutes, removeMute } from '@murmuration/contracts/accounts'
import { integerOf, invalidField, toJson } from '@murmuration/contracts/kit'
import { accountPage } from '../core/account/page.js'
import { otherAccount } from '../core/account/visible-account.js'
import { lockPair } from '../core/lock.store.js'
import { relationshipTo } from '../core/relationship/relationship.js'
import { handle } from '../handlers.js'
import { muteAs } from './begin.js'
import { announceMuteEnds } from './end.js'
import { deleteMute, mutedBy } from './store.js'

/** Returns the accounts that the viewer mutes, newest mute first, with the time when each mute ends. */
export const handleListMutes = handle(listMutes, async (ctx, viewer, page) => {
  const rows = await mutedBy(ctx.db, viewer.id, page, ctx.clock.date())
  return accountPage(ctx, listMutes.output, page, rows, (card, row) =>
    splice(card, { mute_expires_at: toJson(row.expires_at?.toISOString() ?? null) }),
  )
})

/** Longest mute in seconds: a hundred years. The bound keeps the end within the range of dates. */
const MAX_SECONDS = 100 * 366 * 86_400

export const create = handle(createMute, async (ctx, viewer, { id, notifications, duration }) => {
  const target = await otherAccount(ctx, id)
  const seconds = integerOf('duration', duration) ?? 0
  if (seconds < 0 || seconds > MAX_SECONDS) throw invalidField('Duration is not included in the list')
  await ctx.db.tx((tx) => muteAs(ctx, tx, viewer.id, target, { notifications, seconds }))
  return relationshipTo(ctx, viewer.id, id)
})

/** Removes a mute. */
export const remove = handle(removeMute, async (ctx, viewer, { id }) => {
  await otherAccount(ctx, id)
  await ctx.db.tx(async (tx) => {
    await lockPair(tx, viewer.id, id)
    const gone = await deleteMute(tx, { from: viewer.id, to: id })
    if (gone) await announceMuteEnds(ctx, tx, [gone])
  })
  return relationshipTo(ctx, viewer.id, id)
})
