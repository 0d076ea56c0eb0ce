/** Remembers which servers read statuses of ours, alone or in a list, so that they hear when these are deleted. */
import type { Context } from '../context.js'
import { inboxOf } from '../delivery/audience.js'
import { ensureInboxes } from '../store/delivery.js'
import { insertReader, unreadAmong } from '../store/reader.js'
import { hostOf } from '../vocabulary/uri.js'
import type { Asker } from './asker.js'

interface Read {
  readonly id: string
  readonly author: string
  /** Id of what it boosts, whose own server speaks for it. */
  readonly reblog_of: string | null
}

/** Only those who said who they are can be told. What cannot be noted now does not keep anybody from reading. */
export const noteReader = async (ctx: Context, read: readonly Read[], asker: Asker): Promise<void> => {
  const statuses = read.filter((it) => it.reblog_of === null)
  if (asker === null || statuses.length === 0) return
  try {
    const account = await ctx.acquaintances.account(asker.owner)
    const inbox = account && inboxOf(account)
    const host = inbox && hostOf(inbox)
    if (!inbox || !host) return
    const ids = statuses.map((it) => it.id)
    const unread = await unreadAmong(ctx.db, ids, inbox)
    if (unread.size === 0) return
    await ensureInboxes(ctx.db, [{ url: inbox, host }], () => ctx.ids.next())
    await insertReader(ctx.db, { inbox, statuses: statuses.filter((it) => unread.has(it.id)) })
  } catch (error) {
    ctx.log.warn({ error }, 'who read a status was not noted')
  }
}
