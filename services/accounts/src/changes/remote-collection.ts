/** Who is in a collection of another server, as its keeper says, in the transaction of the caller, who holds its lock. */
import { checkCollectionJob, type RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { type NewItem, planItems } from '../domain/remote-collection.js'
import { accountsByUris } from '../store/account.js'
import { itemsByIds } from '../store/collection-item.js'
import { changeRemoteItems, deleteItems, insertRemoteItems, storedItems } from '../store/remote-collection.js'
import { announceGone } from './collection.js'

export interface Kept {
  id: string
  account_id: string
  /** Actor id of the keeper. */
  owner_uri: string
}

type Changing = Pick<Context, 'announce' | 'ids' | 'clock' | 'queue' | 'site'>

export const insertItemsOf = (ctx: Changing, tx: Tx, collection: string, items: readonly NewItem[]): Promise<void> =>
  insertRemoteItems(
    tx,
    collection,
    items.map((item) => ({ ...item, id: ctx.ids.next() })),
    ctx.clock.date(),
  )

/** Takes items out; people here are told of it no more. */
export const dropItems = async (
  ctx: Changing,
  tx: Tx,
  kept: Pick<Kept, 'account_id'>,
  ids: readonly string[],
): Promise<void> => {
  const gone = await itemsByIds(tx, ids)
  await deleteItems(tx, ids)
  await announceGone(
    ctx,
    tx,
    gone.map((item) => ({ ...item, owner: kept.account_id })),
  )
}

/** False when everything was so already. `look` queues the reading of who is not known, and of what has to be proved. */
export const takeItems = async (
  ctx: Changing,
  tx: Tx,
  kept: Kept,
  given: readonly RemoteCollectionItem[],
  { whole, look }: { whole: boolean; look: boolean },
): Promise<boolean> => {
  const stored = await storedItems(tx, kept.id)
  const accounts = await accountsByUris(tx, [...new Set(given.map((item) => item.account))])
  const known = new Map(accounts.map((row) => [row.uri, row]))
  const isOurs = (uri: string) =>
    !URL.canParse(uri) || [ctx.site.webDomain, ctx.site.localDomain].includes(new URL(uri).host)
  const plan = planItems(given, stored, known, { owner: kept.owner_uri, whole, isOurs })
  const room = limits.accounts.collectionItems - (stored.length - plan.remove.length)
  const add = plan.add.slice(0, Math.max(0, room))
  await dropItems(ctx, tx, kept, plan.remove)
  await changeRemoteItems(tx, plan.change)
  await insertItemsOf(ctx, tx, kept.id, add)
  const strangers = plan.strangers.slice(0, Math.max(0, room - add.length))
  const waits = [...add, ...plan.change].some((item) => item.state === 'pending')
  if (look && (waits || strangers.length > 0))
    await ctx.queue(tx, checkCollectionJob, { collection: kept.id, strangers, after: '0' })
  return add.length + plan.change.length + plan.remove.length > 0
}
