/** Handlers of notes of staff on reports and accounts. */
import {
  createAccountNote,
  createReportNote,
  listAccountNotes,
  listReportNotes,
  removeAccountNote,
  removeReportNote,
} from '@murmuration/contracts/admin'
import { fail, notFound, type Page, type PageOutput, pageReply, type Viewer } from '@murmuration/contracts/kit'
import { overrides } from '@murmuration/contracts/permissions'
import { endsOf } from '@murmuration/db'
import type { Context } from '../context.js'
import { moderatedAccount } from '../core/admin-account.js'
import { reportById } from '../core/report.store.js'
import { handle } from '../handlers.js'
import { addNote, type NoteTarget, removeNote } from './change.js'
import { showStaffNotes } from './show.js'
import { type StaffNoteRow, staffNotePage } from './store.js'

const reportOf = async (ctx: Context, id: string): Promise<NoteTarget> => {
  if ((await reportById(ctx.db, id)) === null) throw notFound()
  return { kind: 'report', id, name: `#${id}` }
}

const accountOf = async (ctx: Context, id: string): Promise<NoteTarget> => {
  const { account } = await moderatedAccount(ctx, id)
  return { kind: 'account', id, name: account.account.acct }
}

/**
 * The account on which a note is added or deleted. Throws 403 unless the actor outranks the account. `by` is null for
 * operators.
 */
const outrankedAccount = async (ctx: Context, by: Viewer | null, id: string): Promise<NoteTarget> => {
  const { account, position } = await moderatedAccount(ctx, id)
  if (by !== null && !overrides(by.position, position)) throw fail('forbidden', 'This action is not allowed')
  return { kind: 'account', id, name: account.account.acct }
}

const listOf = async (ctx: Context, output: PageOutput, target: NoteTarget, page: Page) => {
  const rows = await staffNotePage(ctx.db, target.kind, target.id, page)
  const ends = endsOf(
    rows.map((row) => row.id),
    page,
  )
  return pageReply(output, await showStaffNotes(ctx, rows), ends)
}

const showOne = async (ctx: Context, row: StaffNoteRow) => {
  const [shown] = await showStaffNotes(ctx, [row])
  if (shown === undefined) throw notFound()
  return shown
}

export const listOfReport = handle(listReportNotes, async (ctx, _viewer, { id, ...page }) =>
  listOf(ctx, listReportNotes.output, await reportOf(ctx, id), page),
)

export const listOfAccount = handle(listAccountNotes, async (ctx, _viewer, { id, ...page }) =>
  listOf(ctx, listAccountNotes.output, await accountOf(ctx, id), page),
)

export const createOnReport = handle(createReportNote, async (ctx, viewer, { id, text }) =>
  showOne(ctx, await addNote(ctx, viewer, await reportOf(ctx, id), text)),
)

export const createOnAccount = handle(createAccountNote, async (ctx, viewer, { id, text }) =>
  showOne(ctx, await addNote(ctx, viewer, await outrankedAccount(ctx, viewer, id), text)),
)

export const removeFromReport = handle(removeReportNote, async (ctx, viewer, { id, note_id }) => {
  await removeNote(ctx, viewer, await reportOf(ctx, id), note_id)
  return {}
})

export const removeFromAccount = handle(removeAccountNote, async (ctx, viewer, { id, note_id }) => {
  await removeNote(ctx, viewer, await outrankedAccount(ctx, viewer, id), note_id)
  return {}
})
