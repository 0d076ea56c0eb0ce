/** Acting on an account below `/admin`: a page that explains the consequence, then the action itself. */
import { adminAccountAct, adminAccountShow, adminReportList, listWarningPresets } from '@murmuration/contracts/admin'
import type { AdminAccount, AdminWarningPreset } from '@murmuration/contracts/entities'
import { excerpt } from '@murmuration/text'
import { idIn, idOrNull } from '../home/id.js'
import { type Html, html } from '../html.js'
import { say } from '../language.js'
import { countOf } from '../parts/time.js'
import { nothingHere } from '../visit.js'
import { type Admin, attempt, type Fields, type StaffVisit } from './frame.js'
import { reportPath } from './reports.js'
import { accountCell, adminAccountPath, handleOf, stateBadges } from './table.js'

interface Action {
  readonly label: string
  /** The consequence for an account of this server, and for one of another server; null where the action does not exist. */
  readonly here: string
  readonly elsewhere: string | null
  readonly done: string
  readonly look: string
}

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  [
    'none',
    {
      label: 'Warn',
      here: 'The account holder receives your text. Nothing else changes.',
      elsewhere: 'The warning is only recorded here. Accounts of other servers are not notified.',
      done: 'The warning was sent.',
      look: 'quiet',
    },
  ],
  [
    'sensitive',
    {
      label: 'Hide media',
      here: 'All media of the account are hidden behind a warning, also in future posts. The account can do everything else.',
      elsewhere: 'All media of the account are hidden behind a warning for everyone on this server.',
      done: 'Media of the account are now hidden.',
      look: 'quiet',
    },
  ],
  [
    'disable',
    {
      label: 'Disable sign-in',
      here: 'The account holder can no longer sign in or use apps. Profile and posts stay visible.',
      elsewhere: null,
      done: 'Sign-in is now disabled.',
      look: 'quiet',
    },
  ],
  [
    'silence',
    {
      label: 'Limit',
      here: 'Followers still see posts of the account. It disappears from public timelines and trends.',
      elsewhere:
        'Followers on this server still see posts of the account. It disappears from public timelines and trends.',
      done: 'The account is now limited.',
      look: 'quiet',
    },
  ],
  [
    'suspend',
    {
      label: 'Suspend',
      here: 'The account can no longer be used, and its profile and posts are hidden from everyone. Its data are deleted after 30 days unless you undo this.',
      elsewhere: 'Profile and posts of the account are hidden on this server, and follows in both directions end.',
      done: 'The account is now suspended.',
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

/** Links to the actions that are possible now. */
export const actionLinks = (target: AdminAccount, reportId?: string): Html =>
  html`<div class="acts">${[...ACTIONS].map(([type, { label, elsewhere, look }]) =>
    isSetAlready(target, type) || (target.domain !== null && elsewhere === null)
      ? ''
      : html`<a class="button ${look}" href="${actPath(target.id)}?type=${type}${reportId ? `&report_id=${reportId}` : ''}">${say(label)}…</a>`,
  )}</div>`

const consequence = (action: Action, target: AdminAccount, open: number, type: string): Html =>
  html`<div class="preview" role="note"><p><b>${say(target.domain === null ? action.here : (action.elsewhere ?? ''))}</b></p>${
    type !== 'none' && open > 0
      ? html`<p>Open reports about the account are resolved by this: <b>${countOf(open, 'report')}</b>.</p>`
      : ''
  }<p>You can undo this on the page about the account, except for a warning.</p></div>`

/** The prepared text, which the account holder reads before the own text of staff. */
const presetChoice = (presets: readonly AdminWarningPreset[], chosen: string): Html | '' =>
  presets.length === 0
    ? ''
    : html`<label for="warning_preset_id">Preset</label><select id="warning_preset_id" name="warning_preset_id"><option value="">No preset</option>${presets.map(
        ({ id, title, text }) =>
          html`<option value="${id}"${id === chosen ? html` selected` : ''}>${title ? `${title}: ` : ''}${excerpt(text, 120)}</option>`,
      )}</select>`

const show = async (visit: StaffVisit, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const { ask, may, proof, req } = visit
  const id = idIn(req.params.id)
  const type = String(form.type ?? req.query.type ?? '')
  const reportId = idOrNull(form.report_id ?? req.query.report_id)
  const action = ACTIONS.get(type)
  if (!action) throw nothingHere()
  const [target, open, presets] = await Promise.all([
    ask(adminAccountShow, { id }),
    may('manage_reports') ? ask.page(adminReportList, { target_account_id: id, limit: 20 }) : null,
    ask(listWarningPresets, { limit: 200 }),
  ])
  if (target.domain !== null && action.elsewhere === null) throw nothingHere()
  const back = reportId ? reportPath(reportId) : adminAccountPath(id)
  visit.show({
    title: action.label,
    heading: html`${say(action.label)}: ${handleOf(target)}`,
    above: html`<a href="${back}">Back without a change</a>`,
    current: reportId ? 'reports' : 'accounts',
    problem,
    body: html`<section class="card"><p>${accountCell(target, true)}</p><p>${stateBadges(target)}</p>${consequence(action, target, open?.items.length ?? 0, type)}<form method="post" action="${actPath(id)}">${proof}<input type="hidden" name="type" value="${type}">${
      reportId ? html`<input type="hidden" name="report_id" value="${reportId}">` : ''
    }${presetChoice(presets, String(form.warning_preset_id ?? ''))}<label for="text">Text</label><textarea id="text" name="text" rows="4" maxlength="2000" aria-describedby="text-hint">${String(form.text ?? '')}</textarea><p id="text-hint" class="soft small">${
      target.domain === null
        ? say('The account holder reads this text, and it stays in the record.')
        : say('Only staff reads this text.')
    }</p>${
      target.domain === null
        ? html`<label class="choice"><input type="checkbox" name="mail" value="1" checked> Notify the account holder by e-mail</label>`
        : ''
    }<p class="acts"><button class="${type === 'suspend' ? 'danger' : ''}" type="submit">${say(action.label)}</button><a class="button quiet" href="${back}">Cancel</a></p></form></section>`,
  })
}

export const addAct = (admin: Admin): void => {
  admin.add('get', actPath(':id'), 'manage_users', (visit) => show(visit))
  admin.add('post', actPath(':id'), 'manage_users', async (visit, form) => {
    const id = idIn(visit.req.params.id)
    const action = ACTIONS.get(String(form.type ?? ''))
    if (!action) throw nothingHere()
    const reportId = idOrNull(form.report_id)
    const problem = await attempt(() =>
      visit.ask(adminAccountAct, {
        id,
        type: String(form.type),
        text: String(form.text ?? ''),
        warning_preset_id: idOrNull(form.warning_preset_id),
        report_id: reportId,
        send_email_notification: form.mail === '1',
      }),
    )
    if (problem) return show(visit, form, problem)
    visit.done(reportId && visit.may('manage_reports') ? reportPath(reportId) : adminAccountPath(id), action.done)
  })
}
