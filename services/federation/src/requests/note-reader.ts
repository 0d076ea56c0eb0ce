/** Remembers which servers read a status of ours, so that they hear when it is deleted. */
import type { StatusRecord } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { inboxOf } from '../delivery/audience.js'
import { ensureInboxes } from '../store/delivery.js'
import { insertReader, isReader } from '../store/reader.js'
import { hostOf } from '../vocabulary/uri.js'
import type { Asker } from './asker.js'

/** Only those who said who they are can be told. What cannot be noted now does not keep anybody from reading. */
export const noteReader = async (ctx: Context, status: StatusRecord, asker: Asker): Promise<void> => {
  if (asker === null || !status.local) return
  try {
    const account = await ctx.acquaintances.account(asker.owner)
    const inbox = account && inboxOf(account)
    const host = inbox && hostOf(inbox)
    if (!inbox || !host || (await isReader(ctx.db, status.id, inbox))) return
    await ensureInboxes(ctx.db, [{ url: inbox, host }], () => ctx.ids.next())
    await insertReader(ctx.db, { status: status.id, author: status.author, inbox })
  } catch (error) {
    ctx.log.warn({ error }, 'who read a status was not noted')
  }
}
