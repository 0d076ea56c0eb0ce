/** Fetches the unknown parent of a remote reply, and in turn its parent, up to a depth. */
import { fetchParent as contract } from '@murmuration/contracts/statuses'
import { resolveStatus } from '../changes/resolve.js'
import { work } from '../doors.js'

export const fetchParent = work(contract, async (ctx, { uri, depth }) => {
  await resolveStatus(ctx, uri, { depth: depth - 1, behind: true })
})
