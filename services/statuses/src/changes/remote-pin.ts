/** What a remote account pinned, taken over as a whole. */
import type { Context } from '../context.js'
import { countPins, insertPin, pinsOf, unpinAll } from '../store/pin.js'

/** Pins of one remote account that are kept; other software allows more than we do. */
export const MOST_REMOTE_PINS = 20

/** Makes these the pins of an account, the first one on top. True when anything changed. */
export const setRemotePins = (
  ctx: Pick<Context, 'db' | 'ids'>,
  account: string,
  statuses: readonly string[],
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    await countPins(tx, account)
    const wanted = statuses.slice(0, MOST_REMOTE_PINS)
    const there = await pinsOf(tx, account)
    if (JSON.stringify(there) === JSON.stringify(wanted)) return false
    await unpinAll(tx, account)
    // The latest pin is shown first. A handful, one after the other, because they are rows of one transaction.
    for (const status of wanted.toReversed()) await insertPin(tx, ctx.ids.next(), account, status)
    return true
  })
