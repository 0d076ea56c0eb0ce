/** Fetches the unknown parent of a remote reply, and in turn its parent, up to a depth. */
import { notYet } from '@murmuration/contracts/kit'
import { fetchParent as contract } from '@murmuration/contracts/statuses'
import { reachStatus } from '../changes/resolve.js'
import { work } from '../doors.js'

export const fetchParent = work(contract, async (ctx, { uri, depth }, meta) => {
  const { later } = await reachStatus(ctx, uri, { depth: depth - 1, behind: true })
  if (later && meta.tries < contract.retry.times) throw notYet('The parent cannot be read yet')
})
