/** Actions on an account below `/admin`: a page with the consequence, then the action. */
import {
  actOnAccount,
  listWarningPresets,
  previewAccountAction,
  showAccountForStaff,
} from '@murmuration/contracts/admin'
import type { AdminAccount } from '@murmuration/contracts/entities'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { consequenceCards, previewAction, textFields } from './consequence.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { pathAfter, type Queue, queueFields, queueIn, reportPath } from './report-queue.js'
import { accountCell, adminAccountPath, handleOf, stateBadges } from './table.js'

interface Action {
  readonly label: Message
  /**
   * Texts about the consequence of the action: `here` for a local account, `elsewhere` for a remote one. `elsewhere` is
   * null if the action is not possible for remote accounts.
   */
  readonly here: Message
  readonly elsewhere: Message | null
  readonly done: Message
  readonly look: string
}

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  [
    'none',
    {
      label: msg('Warn'),
      here: msg('The account holder receives your text. Nothing else changes.'),
      elsewhere: msg('The warning is only recorded here. Accounts of other servers are not notified.'),
      done: msg('The warning was sent.'),
      look: 'quiet',
    },
  ],
  [
    'sensitive',
    {
      label: msg('Hide media'),
      here: msg(
        'All media of the account are hidden behind a warning, also in future posts. The account can do everything else.',
      ),
      elsewhere: msg('All media of the account are hidden behind a warning for everyone on this server.'),
      done: msg('Media of the account are now hidden.'),
      look: 'quiet',
    },
  ],
  [
    'disable',
    {
      label: msg('Disable sign-in'),
      here: msg('The account holder can no longer sign in or use apps. Profile and posts stay visible.'),
      elsewhere: null,
      done: msg('Sign-in is now disabled.'),
      look: 'quiet',
    },
  ],
  [
    'silence',
    {
      label: msg('Limit'),
      here: msg('Followers still see posts of the account. It disappears from public timelines and trends.'),
      elsewhere: msg(
        'Followers on this server still see posts of the account. It disappears from public timelines and trends.',
      ),
      done: msg('The account is now limited.'),
      look: 'quiet',
    },
  ],
  [
    'suspend',
    {
      label: msg('Suspend'),
      here: msg(
        'The account can no longer be used, and its profile and posts are hidden from everyone. Its data are deleted after 30 days unless you undo this.',
      ),
      elsewhere: msg('Profile and posts of the account are hidden on this server, and follows in both directions end.'),
      done: msg('The account is now suspended.'),
      look: 'danger',
    },
  ],
])

const actPath = (id: string): string => `${adminAccountPath(id)}/act`

const isSetAlready = (one: AdminAccount, type: string): boolean =>
  (type === 'sensitive' && one.sensitized) ||
  (type === 'disable' && one.disabled) ||
  (type === 'silence' && one.silenced) ||
  (type === 'suspend' && one.suspended)

/** Links to the actions that are possible now on an account. */
export const actionLinks = (target: AdminAccount, reportId?: string, queue: Queue = {}): Html =>
  html`<div class="acts">${[...ACTIONS].map(([type, { label, elsewhere, look }]) =>
    isSetAlready(target, type) || (target.domain !== null && elsewhere === null)
      ? ''
      : html`<a class="button ${look}" href="${actPath(target.id)}?${String(new URLSearchParams({ type, ...(reportId ? { report_id: reportId, ...queue } : {}) }))}">${t(label)}…</a>`,
  )}</div>`

const show = async (
  request: StaffRequest,
  form: Fields | null = null,
  refusal: string | null = null,
): Promise<void> => {
  const { callApi, csrfField, req } = request
  const given = form ?? req.query
  const id = idIn(req.params.id)
  const type = String(given.type ?? '')
  const reportId = idOrNull(given.report_id)
  // The form is posted to this path without `type`. If a browser opens the path again, it is redirected to the page of the account.
  if (form === null && type === '') return request.done(adminAccountPath(id))
  const action = ACTIONS.get(type)
  if (!action) throw pageNotFound()
  const [preset, text] = [idOrNull(given.warning_preset_id), String(given.text ?? '')]
  const mail = form === null || form.mail === '1'
  const wanted = { id, type, text, warning_preset_id: preset, report_id: reportId }
  const [target, presets, { preview, problem }] = await Promise.all([
    callApi(showAccountForStaff, { id }),
    callApi(listWarningPresets, { limit: 200 }),
    previewAction(() => callApi(previewAccountAction, wanted)),
  ])
  const isLocal = target.domain === null
  const consequence = isLocal ? action.here : action.elsewhere
  if (consequence === null) throw pageNotFound()
  const queue = queueIn(given)
  const back = reportId ? reportPath(reportId, queue) : adminAccountPath(id)
  const cards = consequenceCards(preview, t(consequence), mail)
  request.show({
    title: t(action.label),
    heading: html`${t(action.label)}: ${handleOf(target)}`,
    above: html`<a href="${back}">${t('Back without a change')}</a>`,
    current: reportId ? 'reports' : 'accounts',
    problem: refusal ?? problem,
    body: html`<div class="columns even"><section class="card"><p>${accountCell(target, true)}</p><p>${stateBadges(target)}</p>${cards.numbers}<form method="post" action="${actPath(id)}">${csrfField}${queueFields(queue)}<input type="hidden" name="type" value="${type}">${
      reportId ? html`<input type="hidden" name="report_id" value="${reportId}">` : ''
    }${textFields({ presets, isLocal, preset: preset ?? '', text, mail })}<p class="acts"><button class="${type === 'suspend' ? 'danger' : ''}" type="submit">${t(action.label)}</button><button class="quiet" type="submit" name="preview" value="1">${t('Update the preview')}</button><a class="button quiet" href="${back}">${t('Cancel')}</a></p></form></section><div>${cards.mail}</div></div>`,
  })
}

const act = async (request: StaffRequest, form: Fields): Promise<void> => {
  const id = idIn(request.req.params.id)
  const action = ACTIONS.get(String(form.type ?? ''))
  if (!action) throw pageNotFound()
  if (form.preview === '1') return show(request, form)
  const reportId = idOrNull(form.report_id)
  const problem = await attempt(() =>
    request.callApi(actOnAccount, {
      id,
      type: String(form.type),
      text: String(form.text ?? ''),
      warning_preset_id: idOrNull(form.warning_preset_id),
      report_id: reportId,
      send_email_notification: form.mail === '1',
    }),
  )
  if (problem) return show(request, form, problem)
  const isFromReport = reportId !== null && request.may('manage_reports')
  request.done(isFromReport ? await pathAfter(request, queueIn(form), reportId) : adminAccountPath(id), t(action.done))
}

export const addAct = (admin: Admin): void => {
  admin.add('get', actPath(':id'), 'manage_users', (request) => show(request))
  admin.add('post', actPath(':id'), 'manage_users', act)
}
