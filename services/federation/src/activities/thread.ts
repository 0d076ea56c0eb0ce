/** Brings in what a status answers, so that a conversation can be read from its beginning. */
import { createHash } from 'node:crypto'
import { type FetchedNote, resolveThread } from '@murmuration/contracts/federation'
import type { Context } from '../context.js'
import { isOurs } from '../domain/authority.js'
import { readUri } from '../vocabulary/uri.js'
import { statusOf } from './received.js'

/** Queues the reading of an unknown parent; one step at a time, `depth` steps at most. */
export const followThread = async (
  ctx: Pick<Context, 'self' | 'acquaintances' | 'queues'>,
  note: Pick<FetchedNote, 'in_reply_to' | 'visibility'>,
  depth = 0,
): Promise<void> => {
  const parent = readUri(note.in_reply_to)
  const isOpen = note.visibility === 'public' || note.visibility === 'unlisted'
  if (parent === null || !isOpen || isOurs(parent, ctx.self.ownHosts)) return
  if ((await statusOf(ctx, parent)) !== null) return
  // Addresses are longer than names of jobs may be, and long ones often begin alike.
  const id = createHash('sha256').update(`${parent} ${depth}`).digest('base64url')
  await ctx.queues.push(resolveThread, { id, data: { uri: parent, depth } })
}
