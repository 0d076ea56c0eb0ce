/** Actions on reported posts below `/admin`: selection on the report's page, then a page with the consequence. */
import {
  actOnReportedStatuses,
  listWarningPresets,
  previewStatusAction,
  showAdminReport,
} from '@murmuration/contracts/admin'
import type { AdminReport } from '@murmuration/contracts/entities'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { bodyOf, quoted } from '../core/parts/status.js'
import { agoOf } from '../core/parts/time.js'
import { consequenceCards, previewAction, textFields } from './consequence.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { pathAfter, queueFields, queueIn, reportPath } from './report-queue.js'
import { handleOf, idsIn } from './table.js'

const MAX_STATUSES = 200

interface StatusAction {
  readonly label: Message
  readonly consequence: Message
  readonly done: Message
  readonly look: string
}

const ACTIONS: ReadonlyMap<string, StatusAction> = new Map([
  [
    'mark_statuses_as_sensitive',
    {
      label: msg('Mark posts as sensitive'),
      consequence: msg('Media of these posts are hidden at first, and one click shows them.'),
      done: msg('The posts are marked as sensitive.'),
      look: '',
    },
  ],
  [
    'delete_statuses',
    {
      label: msg('Delete posts for good'),
      consequence: msg('These posts are deleted with their media, also on servers that received them.'),
      done: msg('The posts are deleted.'),
      look: 'danger',
    },
  ],
])

const statusesPath = (id: string): string => `${reportPath(id)}/statuses`

const statusCard = ({ now, ctx }: StaffRequest, status: AdminReport['statuses'][number], choice: Html | ''): Html =>
  html`<article class="card status"><div class="post-head">${choice}<p class="muted small">${agoOf(status.created_at, now)} · <a href="${status.url ?? status.uri}" rel="nofollow noopener">${t('Open the post')}</a></p></div>${bodyOf(status)}${quoted(status, ctx.site.localDomain)}</article>`

/** The reported posts, each with a checkbox while the report is open. */
export const reportedPosts = (request: StaffRequest, report: AdminReport): Html => {
  const { csrfField, req } = request
  if (report.statuses.length === 0)
    return html`<p class="card muted">${t('The report names no posts, or they were deleted.')}</p>`
  if (report.action_taken) return html`${report.statuses.map((one) => statusCard(request, one, ''))}`
  return html`<form method="post" action="${statusesPath(report.id)}">${csrfField}${queueFields(queueIn(req.query))}${report.statuses.map(
    (one, at) =>
      statusCard(
        request,
        one,
        html`<label class="choice"><input type="checkbox" name="ids[]" value="${one.id}" checked> ${t('Select post {number}', { number: at + 1 })}</label>`,
      ),
  )}<div class="acts card"><span>${t('Selected posts:')}</span>${[...ACTIONS].map(
    ([type, { label, look }]) =>
      html`<button class="${look || 'quiet'}" type="submit" name="type" value="${type}">${t(label)}…</button>`,
  )}</div></form>`
}

/** Page with the consequence of an action on reported posts, and the form that runs the action. */
const confirm = async (request: StaffRequest, form: Fields, refusal: string | null = null): Promise<void> => {
  const { callApi, csrfField, req } = request
  const id = idIn(req.params.id)
  const type = String(form.type ?? '')
  const action = ACTIONS.get(type)
  if (!action) throw pageNotFound()
  const ids = idsIn(form.ids, MAX_STATUSES)
  const [preset, text] = [idOrNull(form.warning_preset_id), String(form.text ?? '')]
  const isFirst = form.confirmed !== '1'
  const mail = isFirst || form.mail === '1'
  const [report, presets, { preview, problem }] = await Promise.all([
    callApi(showAdminReport, { id }),
    callApi(listWarningPresets, { limit: 200 }),
    ids.length === 0
      ? { preview: null, problem: t('No post was selected.') }
      : previewAction(() =>
          callApi(previewStatusAction, { id, type, status_ids: ids, text, warning_preset_id: preset }),
        ),
  ])
  const queue = queueIn(form)
  const back = reportPath(id, queue)
  const isLocal = report.target_account.domain === null
  const cards = consequenceCards(preview, t(action.consequence), mail)
  const chosen = report.statuses.filter((one) => (preview?.status_ids ?? ids).includes(one.id))
  request.show({
    title: t(action.label),
    heading: html`${t(action.label)}: ${handleOf(report.target_account)}`,
    above: html`<a href="${back}">${t('Back without a change')}</a>`,
    current: 'reports',
    problem: refusal ?? problem,
    body: html`<div class="columns even"><div>${cards.numbers}${
      ids.length === 0
        ? ''
        : html`<form class="card" method="post" action="${statusesPath(id)}">${csrfField}${queueFields(queue)}${ids.map(
            (one) => html`<input type="hidden" name="ids[]" value="${one}">`,
          )}<input type="hidden" name="type" value="${type}"><input type="hidden" name="confirmed" value="1">${textFields({ presets, isLocal, preset: preset ?? '', text, mail })}<p class="acts"><button class="${action.look}" type="submit">${t(action.label)}</button><button class="quiet" type="submit" name="preview" value="1">${t('Update the preview')}</button><a class="button quiet" href="${back}">${t('Cancel')}</a></p></form>`
    }</div><div>${cards.mail}</div></div><h2>${t('Selected posts')}</h2>${chosen.map((one) => statusCard(request, one, ''))}`,
  })
}

const act = async (request: StaffRequest, form: Fields): Promise<void> => {
  const id = idIn(request.req.params.id)
  const type = String(form.type ?? '')
  const action = ACTIONS.get(type)
  const ids = idsIn(form.ids, MAX_STATUSES)
  if (!action || form.confirmed !== '1' || form.preview === '1' || ids.length === 0) return confirm(request, form)
  const problem = await attempt(() =>
    request.callApi(actOnReportedStatuses, {
      id,
      type,
      status_ids: ids,
      text: String(form.text ?? ''),
      warning_preset_id: idOrNull(form.warning_preset_id),
      send_email_notification: form.mail === '1',
    }),
  )
  if (problem) return confirm(request, form, problem)
  request.done(await pathAfter(request, queueIn(form), id), t(action.done))
}

export const addReportStatuses = (admin: Admin): void => admin.add('post', statusesPath(':id'), 'manage_reports', act)
