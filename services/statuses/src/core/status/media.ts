/** Reserving attachments for a status, with the refusals clients know, and letting go of them when it is not stored. */
import { fail } from '@murmuration/contracts/kit'
import {
  type AttachmentRecord,
  releaseAttachments,
  type StagedFile,
  takeAttachments,
} from '@murmuration/contracts/media'
import type { Context } from '../../context.js'
import { checkMediaMix } from './draft.rules.js'

export interface MediaEdit {
  id: string
  description?: string | null | undefined
  focus?: [number, number] | undefined
  /** Another cover for a video or a sound. */
  thumbnail?: StagedFile | undefined
}

/** Options of taking: new descriptions, and whether a scheduled status has them now or had them. */
export interface Taking {
  edits?: readonly MediaEdit[]
  scheduled?: boolean
  from?: string
}

/** Takes a person’s attachments for one status; all of them or none. */
export const takeMedia = async (
  ctx: Context,
  owner: string,
  status: string,
  ids: readonly string[],
  { edits = [], ...more }: Taking = {},
): Promise<AttachmentRecord[]> => {
  if (ids.length === 0) return []
  const { taken, missing, unprocessed } = await ctx.call(takeAttachments, {
    owner,
    status,
    ids: [...ids],
    edits: [...edits],
    ...more,
  })
  if (missing.length)
    throw fail('unprocessable', `Media ${missing.join(', ')} not found or already attached to another post`)
  if (unprocessed.length)
    throw fail('unprocessable', 'Cannot attach files that have not finished processing. Try again in a moment!')
  checkMediaMix(taken.map((one) => one.type))
  return taken
}

/**
 * Lets go of attachments: they wait a day for another status, or go at once. A failure is only logged: the status they
 * belonged to is gone either way.
 */
export const releaseMedia = async (
  ctx: Context,
  status: string | readonly string[],
  ids: readonly string[],
  atOnce = false,
): Promise<void> => {
  if (ids.length === 0) return
  try {
    await ctx.call(releaseAttachments, {
      status: typeof status === 'string' ? status : [...status],
      ids: [...ids],
      atOnce,
    })
  } catch (error) {
    ctx.log.warn({ error, status }, 'attachments that a status let go of are still reserved')
  }
}
