/** A collection with its keeper and the accounts in it. */
import { collectionShow, refreshCollectionJob } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { isOpen } from '../../domain/collection.js'
import { READ_FOR_MS } from '../../domain/remote-collection.js'
import { handle } from '../../doors.js'
import type { CollectionRow } from '../../store/collection.js'
import { noteCollectionReading } from '../../store/remote-collection.js'
import { accountValues } from '../../views/account-cards.js'
import { collectionOf, visibleItems } from '../../views/collection.js'
import { visibleCollection } from '../../views/own-collection.js'

/** Has a collection of another server read again that may be wrong by now; what is shown meanwhile is what is known. */
const readAgain = async (ctx: Context, row: CollectionRow): Promise<void> => {
  const now = ctx.clock.date()
  const since = new Date(now.getTime() - READ_FOR_MS)
  if (row.local || (row.read_at !== null && row.read_at > since)) return
  if (!(await noteCollectionReading(ctx.db, row.id, now, since))) return
  await ctx.queues
    .push(refreshCollectionJob, { id: `${row.id} ${now.getTime()}`, data: { collection: row.id } })
    .catch((error) => ctx.log.warn({ error }, 'a collection was not queued for reading'))
}

export const showCollection = handle(collectionShow, async (ctx, viewer, { id }) => {
  const row = await visibleCollection(ctx.db, viewer?.id ?? null, id, ctx.clock.date())
  await readAgain(ctx, row)
  const items = (await visibleItems(ctx, [row], viewer?.id ?? null)).get(row.id) ?? []
  const named = [row.account_id, ...items.filter((item) => isOpen(item.state)).map((item) => item.account_id)]
  const accounts = await accountValues(ctx, named)
  return {
    collection: collectionOf(row, items, ctx.site),
    accounts: [...new Set(named)].flatMap((one) => accounts.get(one) ?? []),
  }
})
