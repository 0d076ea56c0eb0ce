/** Fetches the unknown parent of a remote reply, and in turn its parent, up to a depth. */
import { notYet } from '@murmuration/contracts/kit'
import { fetchParent as contract, statusHint } from '@murmuration/contracts/statuses'
import { isOpen } from '../changes/meant.js'
import { adoptWaiting } from '../changes/remote.js'
import { reachStatus } from '../changes/resolve.js'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { lockUris } from '../store/arrival.js'
import { replyPolicyOf } from '../store/reply-policy.js'
import { rowOf } from '../store/status.js'

/** Replies may name their parent by an address that is not its id; they find it by what its server answered there. */
const adoptByAddress = async (ctx: Context, address: string, id: string): Promise<void> => {
  const adopted = await ctx.db.tx(async (tx) => {
    await lockUris(tx, [address])
    const found = await rowOf(tx, id)
    const parent = found?.reblog_of_id ? await rowOf(tx, found.reblog_of_id) : found
    // Replies that were stored before this status are linked only to a local one that everybody may see.
    if (!parent || (parent.local && !isOpen(parent))) return []
    const holds = { asks: (await replyPolicyOf(tx, parent.id)) !== null, held: parent.held !== null }
    return adoptWaiting(ctx, tx, address, parent, holds)
  })
  if (adopted.length) ctx.hints.send(statusHint, adopted)
}

export const fetchParent = work(contract, async (ctx, { uri, depth }, meta) => {
  const { id, later } = await reachStatus(ctx, uri, { depth: depth - 1, behind: true })
  if (id !== null) await adoptByAddress(ctx, uri, id)
  if (later && meta.tries < contract.retry.times) throw notYet('The parent cannot be read yet')
})
