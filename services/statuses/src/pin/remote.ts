/** Replaces all pins of a remote account, or adds and removes one pin after an activity. */
import type { Context } from '../context.js'
import {
  countPins,
  deletePin,
  insertPin,
  insertPins,
  pinsOf,
  pinVersion,
  raisePinVersion,
  unpinAll,
} from '../core/status/pin.store.js'
import { lockIfNotDeleted, rowOf } from '../core/status/store.js'
import { visibilityOf } from '../core/visibility/rules.js'
import { pinProblem } from './rules.js'

/** Maximum number of stored pins of a remote account. Some other server software allows more pins than this server. */
export const MAX_REMOTE_PINS = 20

/** A fetched list of pins; the first one is on top. */
interface PinList {
  statuses: readonly string[]
  /** False if some pins could not be read. Stored pins then stay, below the new ones. */
  complete: boolean
  /** Version of the stored pins when the fetch began (`pinVersion`). */
  version: string
}

/**
 * Replaces the pins of an account. Returns false if the list differs from the stored pins, and a pin, unpin or another
 * list was stored since the fetch began. The stored pins then stay, because the list may be older.
 */
export const setRemotePins = (
  ctx: Pick<Context, 'db' | 'ids'>,
  account: string,
  { statuses, complete, version }: PinList,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    await countPins(tx, account)
    const there = await pinsOf(tx, account)
    const wanted = [...new Set([...statuses, ...(complete ? [] : there)])].slice(0, MAX_REMOTE_PINS)
    const isStored = JSON.stringify(there) === JSON.stringify(wanted)
    if (!isStored && (await pinVersion(tx, account)) !== version) return false
    // A list without effect counts too, because a list that was fetched before may contradict it.
    await raisePinVersion(tx, account)
    if (isStored) return true
    await unpinAll(tx, account)
    // Ids increase from the last to the first, because the latest pin is shown first.
    await insertPins(
      tx,
      account,
      wanted.toReversed().map((status) => ({ id: ctx.ids.next(), status })),
    )
    return true
  })

interface RemotePin {
  /** Account id. */
  account: string
  status: string
  pinned: boolean
}

/**
 * Adds or removes one pin of a remote account. If the account has the maximum, the oldest pin is deleted. The unpin of an
 * unknown status counts too, because a list of pins that was fetched before may still name the status.
 */
export const putRemotePin = async (
  ctx: Pick<Context, 'db' | 'ids'>,
  { account, status, pinned }: RemotePin,
): Promise<'done' | 'unchanged' | 'refused'> => {
  const row = await rowOf(ctx.db, status)
  if (row === null && !pinned) {
    await ctx.db.tx(async (tx) => {
      await countPins(tx, account)
      await raisePinVersion(tx, account)
    })
    return 'unchanged'
  }
  if (row === null || row.local) return 'refused'
  const about = {
    authorId: row.author_id,
    isReblog: row.reblog_of_id !== null,
    visibility: visibilityOf(row.visibility),
  }
  if (pinProblem(account, about) !== null) return 'refused'
  return ctx.db.tx(async (tx) => {
    const there = await countPins(tx, account)
    // A pin or unpin without effect counts too, because a list that was fetched before may contradict it.
    await raisePinVersion(tx, account)
    if (!pinned) return (await deletePin(tx, account, status)) === null ? 'unchanged' : 'done'
    if (!(await lockIfNotDeleted(tx, status))) return 'refused'
    if ((await insertPin(tx, ctx.ids.next(), account, status)) === 0) return 'unchanged'
    const oldest = there < MAX_REMOTE_PINS ? undefined : (await pinsOf(tx, account)).at(-1)
    if (oldest !== undefined) await deletePin(tx, account, oldest)
    return 'done'
  })
}
