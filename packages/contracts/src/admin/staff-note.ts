/** Operations about notes of staff on reports and accounts. Notes can be read by staff only. */
import { z } from 'zod'
import { Account } from '../entities/index.js'
import { del, get, id, operation, post, text } from '../kit/index.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

export const StaffNote = z.object({
  id: z.string(),
  text: z.string(),
  created_at: z.string(),
  /** Author of the note; null for operators and for accounts that no longer exist. */
  account: Account.nullable(),
})
export type StaffNote = z.infer<typeof StaffNote>

const notesOf = (
  noun: 'report' | 'account',
  { permission, scope, path }: { permission: 'manage_reports' | 'manage_users'; scope: string; path: string },
) => {
  const writes = staffWrites(permission, scope)
  const list = operation(`admin.staff-note.list-of-${noun}`, {
    http: get(path),
    viewer: staffReads(permission, scope),
    class: 'admin',
    input: z.object({ id: id(), ...staffPage() }),
    output: staffPageOf(StaffNote),
    errors: ['not_found'],
    about: `Notes of staff on one ${noun}, newest first.`,
  })
  const create = operation(`admin.staff-note.create-on-${noun}`, {
    http: post(path),
    viewer: writes,
    class: 'admin',
    input: z.object({ id: id(), text: text().default('') }),
    output: StaffNote,
    errors: ['not_found', 'forbidden', 'unprocessable'],
    creates: true,
    about: `Adds a note to one ${noun}.`,
  })
  const remove = operation(`admin.staff-note.remove-from-${noun}`, {
    http: del(`${path}/:note_id`),
    viewer: writes,
    class: 'admin',
    input: z.object({ id: id(), note_id: id() }),
    output: z.object({}),
    errors: ['not_found', 'forbidden'],
    about: `Deletes a note of the viewer from one ${noun}.`,
  })
  return { list, create, remove }
}

const ofReports = notesOf('report', {
  permission: 'manage_reports',
  scope: 'reports',
  path: `${STAFF_PREFIX}/reports/:id/notes`,
})
const ofAccounts = notesOf('account', {
  permission: 'manage_users',
  scope: 'accounts',
  path: `${STAFF_PREFIX}/accounts/:id/notes`,
})

export const listReportNotes = ofReports.list
export const createReportNote = ofReports.create
export const removeReportNote = ofReports.remove
export const listAccountNotes = ofAccounts.list
export const createAccountNote = ofAccounts.create
export const removeAccountNote = ofAccounts.remove
