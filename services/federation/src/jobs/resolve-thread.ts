/** Reads the parent of a status from its own server, then the parent's parent, up to a bound. */
import { fetchObject, resolveThread } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { statusResolve } from '@murmuration/contracts/statuses'
import { followThread } from '../activities/thread.js'
import { work } from '../doors.js'

/** Steps up a conversation that one delivery may cause. */
const DEEPEST = 10

export const resolve = work(resolveThread, async (ctx, { uri, depth }, meta) => {
  const { outcome, note } = await ctx.call(fetchObject, { url: uri, behind: true })
  if (outcome === 'later' && meta.tries < resolveThread.retry.times)
    throw fail('unavailable', 'The parent cannot be read yet')
  if (note === null || note.uri !== uri) return
  await ctx.call(statusResolve, { uri, viewer: null })
  if (depth < DEEPEST) await followThread(ctx, note, depth + 1)
})
