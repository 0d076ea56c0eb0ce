/**
 * Marks one status as sensitive, or removes the mark. A local status gets a new version; of a remote one, a flag
 * changes.
 */
import { attachmentRecords } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { pollsOf } from '../core/poll/store.js'
import { applyEdit, type Described, editTime, versionOf } from '../core/status/edit.js'
import { lockForChange, rowOf, type StatusRow } from '../core/status/store.js'
import { deleteMark, insertMark, isMarked, setSensitive } from './store.js'

export interface Marking {
  readonly author: string
  readonly mark: string
  readonly sensitive: boolean
}

const change = async (
  ctx: Context,
  tx: Tx,
  row: StatusRow,
  media: readonly Described[],
  sensitive: boolean,
): Promise<void> => {
  if (!row.local) {
    await setSensitive(tx, row.id, sensitive)
    return
  }
  const poll = row.poll_id === null ? undefined : (await pollsOf(tx, [row.poll_id])).get(row.poll_id)
  const before = versionOf(row, media, poll?.options ?? null)
  await applyEdit(ctx, tx, row, before, { ...before, sensitive }, editTime(ctx, row))
}

/** Whether a status may become not sensitive: it has no content warning, and no other mark. */
const mayEnd = async (tx: Tx, row: StatusRow): Promise<boolean> =>
  row.spoiler_text === '' && !(await isMarked(tx, row.id))

const media = async (ctx: Context, ids: readonly string[]): Promise<Described[]> => {
  if (ids.length === 0) return []
  const { records } = await ctx.call(attachmentRecords, { ids: [...ids] })
  const byId = new Map(records.map((one) => [one.id, one]))
  return ids.map((id) => ({ id, description: byId.get(id)?.description ?? null }))
}

/**
 * Marks a status as sensitive or removes the mark. Returns whether the status changed. A status that was sensitive
 * before gets no mark, so that undoing leaves it as it was.
 */
export const markOne = async (ctx: Context, row: StatusRow, { author, mark, sensitive }: Marking): Promise<boolean> => {
  const described = await media(ctx, row.media_ids)
  return ctx.db.tx(async (tx) => {
    const held = await lockForChange(tx, row.id, author)
    const now = held && (await rowOf(tx, row.id))
    if (!now) return false
    const isNew = sensitive
      ? !now.sensitive
      : (await deleteMark(tx, row.id, mark)) && now.sensitive && (await mayEnd(tx, now))
    // An edit by the author may have ended `sensitive` without deleting an earlier mark, so a mark may be stored
    // already.
    if (isNew && sensitive) await insertMark(tx, row.id, mark)
    if (isNew) await change(ctx, tx, now, described, sensitive)
    return isNew
  })
}
