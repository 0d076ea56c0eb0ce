/** Appeals below `/admin`: the list by state, and one appeal with its decision. */
import { approveAppeal, listAppeals, listStrikes, rejectAppeal, showAppeal } from '@murmuration/contracts/admin'
import type { AdminStrike, WarningAction } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { excerpt } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { labelOf, labels, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { agoOf, timeOf } from '../core/parts/time.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { reportPath } from './report-queue.js'
import { ACTION_LABELS, strikesPath, strikeTable } from './strikes.js'
import { accountCell, badge, definitionList, filtersIn, handleOf, nextPage, stateBadges, table, tabs } from './table.js'

const HERE = '/admin/appeals'
const ROWS = 25
const STATES = { pending: msg('Pending'), approved: msg('Approved'), rejected: msg('Rejected') } as const
type AppealState = keyof typeof STATES

const pathOf = (id: string): string => `${HERE}/${id}`
const listPath = (state: AppealState): string => (state === 'pending' ? HERE : `${HERE}?state=${state}`)

const EMPTY: Readonly<Record<AppealState, Message>> = {
  pending: msg('No appeal is waiting for a decision.'),
  approved: msg('No appeal was approved yet.'),
  rejected: msg('No appeal was rejected yet.'),
}

const stateBadge = (state: AppealState): Html =>
  badge(labelOf(STATES, state), ({ pending: 'warn', approved: 'ok', rejected: 'neutral' } as const)[state])

const list = async (request: StaffRequest): Promise<void> => {
  const { callApi, may, now, req } = request
  const given = filtersIn(req.query, ['state', 'max_id'])
  const state: AppealState = given.state === 'approved' || given.state === 'rejected' ? given.state : 'pending'
  const { items, older } = await callApi.page(listAppeals, {
    state,
    limit: ROWS,
    ...(given.max_id && isId(given.max_id) ? { max_id: given.max_id } : {}),
  })
  request.show({
    title: t('Appeals'),
    current: 'appeals',
    body: html`${tabs(
      t('Appeals'),
      labels(Object.entries(STATES).map(([name, label]) => [listPath(name as AppealState), label] as const)),
      listPath(state),
    )}${table(
      t('Appeals'),
      [t('Appeal'), t('Account'), t('Decision'), t('Age')],
      items.flatMap((one) =>
        one.appeal === null
          ? []
          : [
              [
                html`<a href="${pathOf(one.appeal.id)}"><b>${excerpt(one.appeal.text, 160)}</b></a>`,
                accountCell(one.target_account, may('manage_users')),
                labelOf(ACTION_LABELS, one.action),
                agoOf(one.appeal.created_at, now),
              ],
            ],
      ),
      t(EMPTY[state]),
    )}${items.length >= ROWS ? nextPage(HERE, state === 'pending' ? {} : { state }, { max_id: older }) : ''}`,
  })
}

/** Text about the consequence of the approval of an appeal, by the action of the strike. */
const UNDONE: Readonly<Record<WarningAction, Message>> = {
  none: msg('The warning no longer stands. Nothing else changes.'),
  disable: msg('The account holder can sign in again.'),
  mark_statuses_as_sensitive: msg('The posts are no longer marked as sensitive.'),
  delete_statuses: msg('The posts stay deleted, because they cannot be restored.'),
  sensitive: msg('Media of the account are no longer hidden.'),
  silence: msg('The account is no longer limited.'),
  suspend: msg('The account is no longer suspended.'),
}

/** Text about an appeal whose decision staff undid meanwhile. Such an appeal cannot be rejected. */
const undoneDecision = (csrfField: Html, id: string): Html =>
  html`<section class="card"><h2>${t('Decide')}</h2><div class="preview" role="note"><p>${t('Staff undid this decision already. An approval tells the account holder, and closes the appeal.')}</p></div><form class="acts" method="post" action="${pathOf(id)}">${csrfField}<button type="submit" name="do" value="approve">${t('Approve the appeal')}</button></form></section>`

const decision = (
  { csrfField }: StaffRequest,
  strike: AdminStrike,
  appeal: NonNullable<AdminStrike['appeal']>,
): Html => {
  if (appeal.state !== 'pending')
    return html`<p class="card">${stateBadge(appeal.state)} ${appeal.decided_at ? timeOf(appeal.decided_at) : ''}</p>`
  if (strike.overruled_at !== null) return undoneDecision(csrfField, appeal.id)
  return html`<section class="card"><h2>${t('Decide')}</h2><div class="preview" role="note"><p>${t('If you approve: {consequence}', { consequence: html`<b>${labelOf(UNDONE, strike.action)}</b>` })}</p><p>${t('A later decision of staff about the same account stays in force.')} ${t('Reports stay resolved.')}</p><p>${t('If you reject: {consequence}', { consequence: html`<b>${t('The decision stands.')}</b>` })}</p><p>${t('The account holder receives an e-mail in both cases.')}</p></div><form class="acts" method="post" action="${pathOf(appeal.id)}">${csrfField}<button type="submit" name="do" value="approve">${t('Approve the appeal')}</button><button class="danger" type="submit" name="do" value="reject">${t('Reject the appeal')}</button></form></section>`
}

const strikeCard = ({ may }: StaffRequest, strike: AdminStrike): Html =>
  html`<section class="card"><h2>${t('Decision of staff')}</h2>${definitionList([
    [t('Decision'), labelOf(ACTION_LABELS, strike.action)],
    [t('Text'), strike.text === '' ? null : html`<p class="quote">${strike.text}</p>`],
    [t('Decided'), timeOf(strike.created_at)],
    [t('Decided by'), strike.account ? handleOf(strike.account) : null],
    [
      t('Posts'),
      strike.status_ids.length > 0
        ? t('{count, plural, one {# post} other {# posts}}', { count: strike.status_ids.length })
        : null,
    ],
    [
      t('Report'),
      strike.report_id && may('manage_reports')
        ? html`<a href="${reportPath(strike.report_id)}">${t('Open the report')}</a>`
        : null,
    ],
  ])}</section>`

const show = async (request: StaffRequest, problem: string | null = null): Promise<void> => {
  const { callApi, may } = request
  const strike = await callApi(showAppeal, { id: idIn(request.req.params.id) })
  const { appeal, target_account: target } = strike
  if (appeal === null) throw pageNotFound()
  const earlier = may('manage_users') ? await callApi.page(listStrikes, { account_id: target.id, limit: 10 }) : null
  const others = earlier?.items.filter(({ id }) => id !== strike.id) ?? []
  request.show({
    title: t('Appeal'),
    heading: html`${t('Appeal of {handle}', { handle: handleOf(target) })} ${stateBadge(appeal.state)}`,
    above: html`<a href="${HERE}">${t('Appeals')}</a>`,
    current: 'appeals',
    problem,
    body: html`<div class="columns"><div><section class="card"><h2>${t('Appeal')}</h2><p class="quote">${appeal.text}</p><p class="muted small">${timeOf(appeal.created_at)}</p></section>${decision(request, strike, appeal)}</div><div>${strikeCard(request, strike)}<section class="card"><h2>${t('Account')}</h2><p>${accountCell(target, may('manage_users'))}</p><p>${stateBadges(target)}</p></section></div></div>${
      earlier === null
        ? ''
        : html`<h2>${t('Other decisions about the account')}</h2>${strikeTable(request, others, t('There is no other decision about this account.'))}<p class="next"><a href="${strikesPath(target.id)}">${t('All decisions')}</a></p>`
    }`,
  })
}

export const addAppeals = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_appeals', list)
  admin.add('get', pathOf(':id'), 'manage_appeals', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_appeals', async (request, form) => {
    const id = idIn(request.req.params.id)
    if (form.do !== 'approve' && form.do !== 'reject') throw pageNotFound()
    const isApproved = form.do === 'approve'
    const problem = await attempt(() => request.callApi(isApproved ? approveAppeal : rejectAppeal, { id }))
    if (problem) return show(request, problem)
    request.done(pathOf(id), isApproved ? t('The appeal is approved.') : t('The appeal is rejected.'))
  })
}
