/** Reserves attachments for a status, with the error messages that clients know, and releases them. */
import { errorText, fail } from '@murmuration/contracts/kit'
import {
  type AttachmentRecord,
  releaseAttachments,
  returnAttachments,
  type StagedFile,
  takeAttachments,
} from '@murmuration/contracts/media'
import type { Context } from '../../context.js'
import { checkMediaMix } from './draft.rules.js'
import type { StatusRow } from './store.js'

export interface MediaEdit {
  id: string
  description?: string | null | undefined
  focus?: [number, number] | undefined
  /** New preview picture of a video or audio file. */
  thumbnail?: StagedFile | undefined
}

/**
 * Options of a reservation of attachments. `edits`: new descriptions. `scheduled`: true if they are reserved for a
 * scheduled status. `from`: id of the scheduled status for which they are reserved until now. `formerHolders`: ids of
 * earlier attempts to publish it, for which they may be reserved instead.
 */
export interface Taking {
  edits?: readonly MediaEdit[]
  scheduled?: boolean
  from?: string | undefined
  formerHolders?: readonly string[] | undefined
}

/**
 * Gives missing attachments that earlier attempts have back to the scheduled status. Returns whether it gave any back.
 * A media service of an earlier release ignores `formerHolders`, and does not know this operation. The call then throws
 * a retryable error.
 */
const areReturned = async (
  ctx: Context,
  ids: readonly string[],
  scheduled: string | undefined,
  attempts: readonly string[] = [],
): Promise<boolean> => {
  if (scheduled === undefined || attempts.length === 0) return false
  return (await ctx.call(returnAttachments, { attempts: [...attempts], scheduled, ids: [...ids] })).returned > 0
}

/**
 * Reserves all attachments of an account for a status, or none. Throws 422 if one is missing, used or not processed.
 */
export const takeMedia = async (
  ctx: Context,
  owner: string,
  status: string,
  ids: readonly string[],
  { edits = [], from, formerHolders, scheduled }: Taking = {},
): Promise<AttachmentRecord[]> => {
  if (ids.length === 0) return []
  const reserve = () =>
    ctx.call(takeAttachments, {
      owner,
      status,
      ids: [...ids],
      edits: [...edits],
      ...(scheduled === undefined ? {} : { scheduled }),
      ...(from === undefined ? {} : { from }),
      ...(formerHolders === undefined ? {} : { formerHolders: [...formerHolders] }),
    })
  const first = await reserve()
  const isRepeated = first.missing.length > 0 && (await areReturned(ctx, first.missing, from, formerHolders))
  const { taken, missing, unprocessed } = isRepeated ? await reserve() : first
  if (missing.length)
    throw fail(
      'unprocessable',
      errorText('Media {ids} not found or already attached to another post', { ids: missing.join(', ') }),
    )
  if (unprocessed.length)
    throw fail('unprocessable', 'Cannot attach files that have not finished processing. Try again in a moment!')
  checkMediaMix(taken.map((one) => one.type))
  return taken
}

const releaseReserved = async (
  ctx: Context,
  holders: readonly string[],
  options: { ids?: string[]; atOnce: boolean },
): Promise<void> => {
  if (holders.length === 0) return
  try {
    await ctx.call(releaseAttachments, { status: [...holders], ...options })
  } catch (error) {
    ctx.log.warn({ error, status: holders }, 'attachments of a status could not be released')
  }
}

/**
 * Releases attachments. Their files are deleted after a day unless another status takes them, or with `atOnce`
 * immediately. Errors are only logged, because the result of the caller does not depend on the release.
 */
export const releaseMedia = async (
  ctx: Context,
  status: string | readonly string[],
  ids: readonly string[],
  atOnce = false,
): Promise<void> => {
  if (ids.length > 0)
    await releaseReserved(ctx, typeof status === 'string' ? [status] : status, { ids: [...ids], atOnce })
}

/** Whether a status may have attachments, in its current version or in an earlier one. */
export const mayHaveMedia = (row: Pick<StatusRow, 'media_ids' | 'edited_at'>): boolean =>
  row.media_ids.length > 0 || row.edited_at !== null

/** Releases all attachments of deleted statuses, also those that only earlier versions have. */
export const releaseMediaOf = (ctx: Context, rows: readonly StatusRow[], atOnce: boolean): Promise<void> =>
  releaseReserved(
    ctx,
    rows.filter(mayHaveMedia).map((row) => row.id),
    { atOnce },
  )

/**
 * Gives the attachments of attempts to publish a scheduled status back to it. Errors are only logged, because the next
 * attempt also takes attachments of earlier attempts. For example, a media service of an earlier release does not
 * respond to this operation.
 */
export const returnMedia = async (
  ctx: Context,
  attempts: readonly string[],
  scheduled: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0 || attempts.length === 0) return
  try {
    await ctx.call(returnAttachments, { attempts: [...attempts], scheduled, ids: [...ids] })
  } catch (error) {
    ctx.log.warn({ error, scheduled }, 'attachments of a scheduled status could not be released')
  }
}
