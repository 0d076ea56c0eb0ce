/** Notes of staff on reports and accounts: a section of their pages below `/admin`, and its forms. */
import {
  createAccountNote,
  createReportNote,
  listAccountNotes,
  listReportNotes,
  removeAccountNote,
  removeReportNote,
  type StaffNote,
} from '@murmuration/contracts/admin'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { agoOf } from '../core/parts/time.js'
import { textIn } from './controls.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { queueFields, queueIn, reportPath, withQueue } from './report-queue.js'
import { adminAccountPath } from './table.js'

const MAX_NOTES = 50

interface Noun {
  readonly heading: Message
  readonly permission: 'manage_reports' | 'manage_users'
  readonly path: (id: string) => string
  readonly list: typeof listReportNotes | typeof listAccountNotes
  readonly create: typeof createReportNote | typeof createAccountNote
  readonly remove: typeof removeReportNote | typeof removeAccountNote
}

export const REPORT_NOTES: Noun = {
  heading: msg('Notes on the report'),
  permission: 'manage_reports',
  path: reportPath,
  list: listReportNotes,
  create: createReportNote,
  remove: removeReportNote,
}
export const ACCOUNT_NOTES: Noun = {
  heading: msg('Notes on the account'),
  permission: 'manage_users',
  path: adminAccountPath,
  list: listAccountNotes,
  create: createAccountNote,
  remove: removeAccountNote,
}

/** The notes of a report or account; null if the viewer may not read them. */
export const notesOf = async (
  { callApi, may }: StaffRequest,
  noun: Noun,
  id: string,
): Promise<readonly StaffNote[] | null> => (may(noun.permission) ? callApi(noun.list, { id, limit: MAX_NOTES }) : null)

/** Notes of staff, with a form to add one, and buttons to delete the viewer's own notes. */
export const notesCard = (
  request: StaffRequest,
  noun: Noun,
  id: string,
  notes: readonly StaffNote[] | null,
): Html | '' => {
  if (notes === null) return ''
  const { now, user, csrfField, req } = request
  const action = `${noun.path(id)}/notes`
  const queue = queueFields(queueIn(req.query))
  const field = `${noun.permission}-note`
  return html`<section class="card notes"><h2>${t(noun.heading)}</h2>${
    notes.length === 0
      ? html`<p class="muted">${t('Nobody wrote a note yet.')}</p>`
      : html`<ul>${notes.map(
          (one) =>
            html`<li><p class="muted small"><b>${one.account ? `@${one.account.acct}` : t('Operator')}</b> · ${agoOf(one.created_at, now)}</p><p class="quote">${one.text}</p>${
              one.account?.id === user.viewer.id
                ? html`<form method="post" action="${action}">${csrfField}${queue}<button class="plain small" type="submit" name="remove" value="${one.id}">${t('Delete the note')}</button></form>`
                : ''
            }</li>`,
        )}</ul>`
  }<form method="post" action="${action}">${csrfField}${queue}<label for="${field}">${t('New note, for staff only')}</label><textarea id="${field}" name="text" rows="2" maxlength="2000" required></textarea><p class="acts"><button class="quiet" type="submit">${t('Add the note')}</button></p></form></section>`
}

const addNotesOf = (admin: Admin, noun: Noun): void =>
  admin.add('post', `${noun.path(':id')}/notes`, noun.permission, async ({ callApi, req, done }, form) => {
    const id = idIn(req.params.id)
    const isRemoval = form.remove !== undefined
    const problem = await attempt(() =>
      isRemoval
        ? callApi(noun.remove, { id, note_id: idIn(form.remove) })
        : callApi(noun.create, { id, text: textIn(form, 'text') }),
    )
    const path = withQueue(noun.path(id), queueIn(form))
    done(path, problem ?? (isRemoval ? t('The note was deleted.') : t('The note was added.')))
  })

export const addNotes = (admin: Admin): void => {
  addNotesOf(admin, REPORT_NOTES)
  addNotesOf(admin, ACCOUNT_NOTES)
}
