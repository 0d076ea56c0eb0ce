/** Gives attachments to a status: all or none, and each to one status only (F067). */
import { attachmentHint, type StagedFile, takeAttachments } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import { type Cover, changeCovers, dropStaged, wantsCover } from '../../changes/change-covers.js'
import type { Context } from '../../context.js'
import { checkDescription, refusedOf } from '../../domain/attachment.js'
import { safeFocus } from '../../domain/focus.js'
import { handle } from '../../doors.js'
import { attachmentsById, type Edit, editAttachments, lockAttachments } from '../../store/attachment.js'
import { holdAttachments } from '../../store/holding.js'
import { attachmentRecord } from '../../views/attachment.js'

/** Takes the transaction back, with what stands in the way. */
class Refused extends Error {
  readonly what: { missing: string[]; unprocessed: string[] }
  constructor(what: Refused['what']) {
    super('these attachments cannot be taken')
    this.what = what
  }
}

/** The covers among the edits, for attachments of the owner that have one. */
const coversIn = async (
  ctx: Context,
  owner: string,
  edits: readonly (Edit & { thumbnail?: StagedFile | undefined })[],
): Promise<Cover[]> => {
  const wanted = new Map(edits.flatMap(({ id, thumbnail }) => (thumbnail ? [[id, thumbnail] as const] : [])))
  if (wanted.size === 0) return []
  const rows = await attachmentsById(ctx.db, [...wanted.keys()])
  return rows.flatMap((row) => {
    const file = wanted.get(row.id)
    return file && row.owner === owner && row.remote_url === null && wantsCover(row) ? [{ row, file }] : []
  })
}

export const take = handle(takeAttachments, async (ctx, _viewer, input) => {
  const { owner, status, from, scheduled } = input
  const ids = [...new Set(input.ids)]
  const edits = (input.edits ?? [])
    .filter((edit) => ids.includes(edit.id))
    .map(({ id, description, focus, thumbnail }) => ({
      id,
      description: checkDescription(description),
      focus: safeFocus(focus) ?? undefined,
      thumbnail,
    }))
  const hold = async (tx: Tx) => {
    const found = refusedOf(await lockAttachments(tx, owner, ids), ids, status, from)
    if (found.missing.length > 0 || found.unprocessed.length > 0) throw new Refused(found)
    await holdAttachments(tx, ids, status, scheduled ?? false)
    await editAttachments(tx, edits)
  }
  try {
    await changeCovers(ctx, await coversIn(ctx, owner, edits), hold)
  } catch (error) {
    if (error instanceof Refused) return { taken: [], ...error.what }
    throw error
  } finally {
    await dropStaged(
      ctx,
      (input.edits ?? []).map((edit) => edit.thumbnail),
    )
  }
  ctx.hints.send(attachmentHint, ids)
  const rows = new Map((await attachmentsById(ctx.db, ids)).map((row) => [row.id, row]))
  const taken = ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  return { taken: taken.map((row) => attachmentRecord(ctx.addresses, row)), missing: [], unprocessed: [] }
})
