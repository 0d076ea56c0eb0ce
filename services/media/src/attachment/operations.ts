/** Handlers of attachments, for their owner and for the statuses that contain them. */
import { notFound, reply } from '@murmuration/contracts/kit'
import {
  attachmentCards,
  attachmentInvalidation,
  attachmentRecords,
  checkedAttachments,
  deleteAttachment,
  recheckAttachments,
  releaseAttachments,
  reservedAttachments,
  returnAttachments,
  type StagedFile,
  showAttachment,
  takeAttachments,
  updateAttachment,
} from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { parseFocus, safeFocus } from '../core/attachment/focus.rules.js'
import { attachmentRecord, attachmentText } from '../core/attachment/json.js'
import {
  applyChecks,
  deleteAttachments,
  recheckReserved,
  releaseReserved,
  reserveAttachments,
  reservedBefore,
  returnReserved,
} from '../core/attachment/reservation.store.js'
import { checkDescription, inUse, RESERVED_MS, refusedOf, statusOfState } from '../core/attachment/rules.js'
import {
  attachmentsById,
  type Edit,
  editAttachments,
  keysOf,
  lockAttachments,
  openAttachment,
} from '../core/attachment/store.js'
import { deleteFiles } from '../core/file/store-files.js'
import { insertUnusedFiles } from '../core/file/unused.store.js'
import { handle } from '../handlers.js'
import { type Cover, changeCovers, dropStaged, wantsCover } from './change-covers.js'

/** Returns an attachment of the viewer, and whether it is processed. */
export const show = handle(showAttachment, async (ctx, viewer, { id }) => {
  const row = await openAttachment(ctx.db, viewer.id, id)
  if (row === null) throw notFound()
  return reply(attachmentText(ctx.addresses, row), { status: statusOfState(row.state, row.failure) })
})

/** Changes description, focus and cover of an attachment of the viewer. */
export const update = handle(updateAttachment, async (ctx, viewer, input) => {
  const { id, thumbnail } = input
  try {
    const row = await openAttachment(ctx.db, viewer.id, id)
    if (row === null) throw notFound()
    const description = checkDescription(input.description)
    const focus = parseFocus(input.focus)
    statusOfState(row.state, row.failure)
    await changeCovers(ctx, thumbnail && wantsCover(row) ? [{ row, file: thumbnail }] : [], async (tx) => {
      // A status may have got the attachment since it was first read, so it is read again with a lock.
      const [open] = await lockAttachments(tx, viewer.id, [id])
      if (open === undefined || (open.status !== null && !open.scheduled)) throw notFound()
      await editAttachments(tx, [{ id, description, focus: focus ?? undefined }])
    })
    ctx.invalidations.send(attachmentInvalidation, [id])
    const now = await openAttachment(ctx.db, viewer.id, id)
    if (now === null) throw notFound()
    return reply(attachmentText(ctx.addresses, now), { status: statusOfState(now.state, now.failure) })
  } finally {
    await dropStaged(ctx, [thumbnail])
  }
})

/** Deletes an attachment of the viewer with its files, unless a status contains it. */
export const deleteOne = handle(deleteAttachment, async (ctx, viewer, { id }) => {
  const keys = await ctx.db.tx(async (tx) => {
    const [row] = await lockAttachments(tx, viewer.id, [id])
    if (row === undefined) throw notFound()
    if (row.status !== null) throw inUse()
    const gone = keysOf(await deleteAttachments(tx, [id]))
    await insertUnusedFiles(tx, gone, ctx.clock.date())
    return gone
  })
  await deleteFiles(ctx, keys)
  ctx.invalidations.send(attachmentInvalidation, [id])
  return {}
})

/** Thrown to roll the transaction back. Contains the ids of the attachments that the status may not have. */
class Refused extends Error {
  readonly what: { missing: string[]; unprocessed: string[] }
  constructor(what: Refused['what']) {
    super('these attachments cannot be taken')
    this.what = what
  }
}

/** The new covers in these edits, for attachments that belong to the owner and accept a cover. */
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

/**
 * Assigns attachments to a status and applies the edits of these attachments. If one of them is refused, nothing is
 * stored.
 */
export const take = handle(takeAttachments, async (ctx, _viewer, input) => {
  const { owner, status, from, formerHolders = [], scheduled } = input
  const ids = [...new Set(input.ids)]
  const edits = (input.edits ?? [])
    .filter((edit) => ids.includes(edit.id))
    .map(({ id, description, focus, thumbnail }) => ({
      id,
      description: checkDescription(description),
      focus: safeFocus(focus) ?? undefined,
      thumbnail,
    }))
  const reserve = async (tx: Tx) => {
    const found = refusedOf(await lockAttachments(tx, owner, ids), ids, status, [from ?? [], formerHolders].flat())
    if (found.missing.length > 0 || found.unprocessed.length > 0) throw new Refused(found)
    await reserveAttachments(tx, ids, status, scheduled ?? false)
    await editAttachments(tx, edits)
  }
  try {
    await changeCovers(ctx, await coversIn(ctx, owner, edits), reserve)
  } catch (error) {
    if (error instanceof Refused) return { taken: [], ...error.what }
    throw error
  } finally {
    await dropStaged(
      ctx,
      (input.edits ?? []).map((edit) => edit.thumbnail),
    )
  }
  ctx.invalidations.send(attachmentInvalidation, ids)
  const rows = new Map((await attachmentsById(ctx.db, ids)).map((row) => [row.id, row]))
  const taken = ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  return { taken: taken.map((row) => attachmentRecord(ctx.addresses, row)), missing: [], unprocessed: [] }
})

/**
 * Removes attachments from statuses. Without `atOnce`, other statuses can use them for a day, then they are deleted.
 * With `atOnce`, they are deleted immediately.
 */
export const release = handle(releaseAttachments, async (ctx, _viewer, { status, ids, atOnce }) => {
  const now = ctx.clock.date()
  const { released, keys } = await ctx.db.tx(async (tx) => {
    const freed = await releaseReserved(tx, [status].flat(), ids ?? null, now)
    if (!atOnce) return { released: freed, keys: [] }
    const gone = keysOf(await deleteAttachments(tx, freed))
    await insertUnusedFiles(tx, gone, now)
    return { released: freed, keys: gone }
  })
  await deleteFiles(ctx, keys)
  ctx.invalidations.send(attachmentInvalidation, released)
  return { released: released.length }
})

/** Attachments that were reserved more than an hour ago, and whose status was not checked since. */
export const reserved = handle(reservedAttachments, async (ctx, _viewer, { limit }) => {
  const rows = await reservedBefore(ctx.db, new Date(ctx.clock.now() - RESERVED_MS), limit)
  return { items: rows.map((row) => ({ ...row, since: row.since.toISOString() })) }
})

/**
 * Ends the check of reserved attachments: keeps those that a status has, moves those that another status has, and
 * releases the others.
 */
export const checked = handle(checkedAttachments, async (ctx, _viewer, { items }) => {
  const rows = items.map((item) => ({ ...item, since: new Date(readTime(item.since)) }))
  const changed = await ctx.db.tx((tx) => applyChecks(tx, rows, ctx.clock.date()))
  ctx.invalidations.send(attachmentInvalidation, changed)
  return { changed: changed.length }
})

/** Marks attachments of a status as reserved now. */
export const recheck = handle(recheckAttachments, async (ctx, _viewer, { status, ids }) => ({
  changed: await recheckReserved(ctx.db, status, ids, ctx.clock.date()),
}))

/** Moves attachments back to a scheduled status, from the statuses with which its publication was tried. */
export const returnToScheduled = handle(returnAttachments, async (ctx, _viewer, { attempts, ids, scheduled }) => {
  const returned = await ctx.db.tx((tx) => returnReserved(tx, attempts, ids, scheduled))
  ctx.invalidations.send(attachmentInvalidation, returned)
  return { returned: returned.length }
})

/** Returns attachment records for other services, in the order of `ids`. */
export const records = handle(attachmentRecords, async (ctx, _viewer, { ids }) => {
  const known = await attachmentsById(ctx.db, ids)
  const rows = new Map(known.map((row) => [row.id, row]))
  const found = ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  return { records: found.map((row) => attachmentRecord(ctx.addresses, row)) }
})

/** Returns MediaAttachment JSON by id, for other services. */
export const cards = handle(attachmentCards, async (ctx, _viewer, { ids }) => {
  const rows = await attachmentsById(ctx.db, ids)
  return new Map(rows.map((row) => [row.id, attachmentText(ctx.addresses, row)]))
})
