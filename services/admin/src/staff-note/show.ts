/** Renders notes of staff: loads the account cards of all authors in one request, then joins notes and cards. */
import { splice } from '@murmuration/cards'
import type { StaffNote } from '@murmuration/contracts/admin'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import type { StaffNoteRow } from './store.js'
import { staffNoteOf } from './view.js'

export const showStaffNotes = async (
  ctx: Pick<Context, 'accountCards'>,
  rows: readonly StaffNoteRow[],
): Promise<Json<StaffNote>[]> => {
  const cards = await ctx.accountCards.many([...new Set(rows.flatMap((row) => row.account_id ?? []))])
  return rows.map((row) =>
    splice<StaffNote>(toJson(staffNoteOf(row)), { account: cards.get(row.account_id ?? '') ?? toJson(null) }),
  )
}
