/** Reserving attachments for a status, with the refusals clients know, and letting go of them when it is not stored. */
import { fail } from '@murmuration/contracts/kit'
import { type AttachmentRecord, releaseAttachments, takeAttachments } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { checkMediaMix } from '../domain/draft.js'

export interface MediaEdit {
  id: string
  description?: string | null | undefined
  focus?: [number, number] | undefined
}

/** Takes a person’s attachments for one status; all of them or none. */
export const takeMedia = async (
  ctx: Context,
  owner: string,
  status: string,
  ids: readonly string[],
  edits: readonly MediaEdit[] = [],
): Promise<AttachmentRecord[]> => {
  if (ids.length === 0) return []
  const { taken, missing, unprocessed } = await ctx.call(takeAttachments, {
    owner,
    status,
    ids: [...ids],
    edits: [...edits],
  })
  if (missing.length)
    throw fail('unprocessable', `Media ${missing.join(', ')} not found or already attached to another post`)
  if (unprocessed.length)
    throw fail('unprocessable', 'Cannot attach files that have not finished processing. Try again in a moment!')
  checkMediaMix(taken.map((one) => one.type))
  return taken
}

/** Lets go of attachments; a failure is only logged, because media frees what no status holds by itself. */
export const releaseMedia = async (ctx: Context, status: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  try {
    await ctx.call(releaseAttachments, { status, ids: [...ids] })
  } catch (error) {
    ctx.log.warn({ error, status }, 'attachments of a status that was not stored are still reserved')
  }
}
