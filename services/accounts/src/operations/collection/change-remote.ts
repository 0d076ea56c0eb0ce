/** Somebody elsewhere puts an account into a collection of theirs that is known here, takes one out, or removes the collection. */
import { changeRemoteCollection, collectionRemoved } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { dropItems, takeItems } from '../../changes/remote-collection.js'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { deleteCollection } from '../../store/collection.js'
import { lockName } from '../../store/lock.js'
import { remoteCollection, storedItems } from '../../store/remote-collection.js'

type Known = { id: string; account_id: string }

/** Who is here and left stays as one who left. */
const takeOut = async (ctx: Context, tx: Tx, known: Known, uri: string): Promise<boolean> => {
  const out = (await storedItems(tx, known.id)).filter(
    (item) => item.uri === uri && (!item.local || item.state === 'accepted'),
  )
  await dropItems(
    ctx,
    tx,
    known,
    out.map((item) => item.id),
  )
  return out.length > 0
}

const end = async (ctx: Context, tx: Tx, known: Known): Promise<boolean> => {
  const items = await storedItems(tx, known.id)
  const members = items.filter((item) => item.local && item.state === 'accepted')
  await dropItems(
    ctx,
    tx,
    known,
    members.map((item) => item.id),
  )
  await deleteCollection(tx, known.id)
  await ctx.announce(tx, collectionRemoved, { id: known.id, owner: known.account_id })
  return true
}

export const changeRemote = handle(changeRemoteCollection, async (ctx, _viewer, { actor, uri, add, remove, gone }) => {
  const unknown = { outcome: 'unknown' as const }
  const found = await remoteCollection(ctx.db, uri)
  if (found?.account_id !== actor) return unknown
  const owner = await accountById(ctx.db, actor)
  if (!owner) return unknown
  const changed = await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${found.id}`)
    if (!(await remoteCollection(tx, uri))) return null
    if (gone) return end(ctx, tx, found)
    const out = remove === undefined ? false : await takeOut(ctx, tx, found, remove)
    const kept = { ...found, owner_uri: owner.uri }
    const into = add !== undefined && (await takeItems(ctx, tx, kept, [add], { whole: false, look: true }))
    return out || into
  })
  return changed === null ? unknown : { outcome: changed ? ('done' as const) : ('unchanged' as const) }
})
