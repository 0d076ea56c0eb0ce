/** Somebody elsewhere puts an account into a collection of theirs that is known here, takes one out, removes it, or says more than is heard. */
import { changeRemoteCollection } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { dropItems, endCollection, takeItems } from '../../changes/remote-collection.js'
import type { Context } from '../../context.js'
import { READ_FOR_MS, UNHEARD_FOR_MS } from '../../domain/remote-collection.js'
import { handle } from '../../doors.js'
import { lockName } from '../../store/lock.js'
import { readNoLater, remoteCollection, storedItems } from '../../store/remote-collection.js'

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

export const changeRemote = handle(changeRemoteCollection, async (ctx, _viewer, { actor, uri, ...what }) => {
  const { add, addNamed, remove, gone, soon } = what
  const unknown = { outcome: 'unknown' as const }
  const found = await remoteCollection(ctx.db, uri)
  if (found?.account_id !== actor) return unknown
  if (soon) {
    const at = new Date(ctx.clock.now() - READ_FOR_MS + UNHEARD_FOR_MS)
    return { outcome: (await readNoLater(ctx.db, found.id, at)) ? 'done' : 'unchanged' }
  }
  const changed = await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${found.id}`)
    if (!(await remoteCollection(tx, uri))) return null
    if (gone) return endCollection(ctx, tx, found)
    const out = remove === undefined ? false : await takeOut(ctx, tx, found, remove)
    const given = { items: add ? [add] : [], named: addNamed ? [addNamed] : [] }
    const into = await takeItems(ctx, tx, found, given, { whole: false, look: true })
    return out || into
  })
  return changed === null ? unknown : { outcome: changed ? ('done' as const) : ('unchanged' as const) }
})
