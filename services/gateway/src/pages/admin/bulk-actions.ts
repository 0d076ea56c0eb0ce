/** Bulk actions below `/admin`: list, progress of one, and undo with a dry run. */
import { type BulkAction, listBulkActions, showBulkAction, undoBulkAction } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import { BULK } from './bulk-bar.js'
import { actionName, nounName, STATES } from './bulk-labels.js'
import { sampleTable, skipTable, tilesOf } from './bulk-plan.js'
import { linesOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badgeOf, definitionList, filtersIn, nextPage, table } from './table.js'

const ROWS = 40
const REFRESH_SECONDS = '2'

export const bulkPath = (id: string): string => `${BULK}/${id}`

const stateBadge = ({ state }: BulkAction): Html => badgeOf(STATES, state)
const titleOf = ({ noun, action }: BulkAction): Html => html`${actionName(action)}: ${nounName(noun)}`

const list = async (request: StaffRequest): Promise<void> => {
  const { max_id } = filtersIn(request.req.query, ['max_id'])
  const { items, older } = await request.callApi.page(listBulkActions, {
    limit: ROWS,
    ...(max_id && isId(max_id) ? { max_id } : {}),
  })
  request.show({
    title: t('Bulk actions'),
    current: 'bulk-actions',
    body: html`<p class="muted">${t('Start one on the pages of accounts, pending sign-ups, trends and blocked servers.')}</p>${table(
      t('Bulk actions'),
      [t('Time'), t('Action'), t('State'), t('Changed'), t('Items')],
      items.map((one) => [
        timeOf(one.created_at ?? ''),
        html`<a href="${bulkPath(one.id ?? '')}"><b>${titleOf(one)}</b></a>`,
        stateBadge(one),
        numberOf(one.changed),
        numberOf(one.found),
      ]),
      t('There was no bulk action yet.'),
    )}${items.length >= ROWS ? nextPage(BULK, {}, { max_id: older }) : ''}`,
  })
}

const progress = ({ state, seen, found }: BulkAction): Html | '' =>
  state === 'running'
    ? html`<section class="card"><p role="status">${t('{progress} done. This page loads itself again.', { progress: `${numberOf(seen)} / ${numberOf(found)}` })}</p><progress max="${found}" value="${seen}" aria-label="${t('Progress')}"></progress></section>`
    : ''

/** Whether the bulk action approves or rejects sign-ups, which cannot be undone. */
const isFinal = ({ noun, action }: BulkAction): boolean =>
  noun === 'account' && (action === 'approve' || action === 'reject')

/** Whether the bulk action resolves the reports about its accounts. */
const isRestriction = ({ noun, action }: BulkAction): boolean =>
  noun === 'account' && ['sensitive', 'silence', 'disable', 'suspend'].includes(action)

const undoCard = (request: StaffRequest, one: BulkAction): Html | '' => {
  if (one.state === 'running' || one.changed === 0 || !request.may('view_audit_log')) return ''
  if (isFinal(one)) return html`<section class="card"><p>${t('Decisions about sign-ups are final.')}</p></section>`
  return html`<section class="card"><h2>${t('Undo')}</h2><p>${t('Each item gets the state from before. Items that changed since stay as they are, and are named.')}${isRestriction(one) ? html` ${t('Reports that this action resolved are then open again.')}` : ''}</p><p class="acts"><a class="button" href="${bulkPath(one.id ?? '')}/undo">${t('Undo all…')}</a></p></section>`
}

const show = async (request: StaffRequest): Promise<void> => {
  const one = await request.callApi(showBulkAction, { id: idIn(request.req.params.id) })
  if (one.state === 'running') request.res.setHeader('Refresh', REFRESH_SECONDS)
  request.show({
    title: t('Bulk action'),
    heading: html`${titleOf(one)} ${stateBadge(one)}`,
    above: html`<a href="${BULK}">${t('Bulk actions')}</a>`,
    current: 'bulk-actions',
    body: html`${progress(one)}${tilesOf([
      [t('Selected'), one.found, t('when the action started')],
      [t('Changed'), one.changed, t('each with an entry in the audit log')],
      [t('Not changed'), one.seen - one.changed, t('for the reasons below')],
    ])}<section class="card">${definitionList([
      [t('Started'), one.created_at && timeOf(one.created_at)],
      [t('Ended'), one.finished_at && timeOf(one.finished_at)],
      [t('Reason'), one.text && html`<span class="quote">${one.text}</span>`],
      [t('Error'), one.error],
      [
        t('Undoes'),
        one.undoes && html`<a href="${bulkPath(one.undoes)}">${t('The bulk action that this one undid')}</a>`,
      ],
      [
        t('Undone by'),
        one.undone_by && html`<a href="${bulkPath(one.undone_by)}">${t('The bulk action that undid this one')}</a>`,
      ],
      [
        t('Audit log'),
        request.may('view_audit_log') &&
          html`<a href="/admin/audit_log?batch_id=${one.id}">${t('All entries of this bulk action')}</a>`,
      ],
    ])}</section>${undoCard(request, one)}${skipTable(one.skipped)}${sampleTable(one, t('Changed'))}`,
  })
}

const planUndo = async (request: StaffRequest, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const id = idIn(request.req.params.id)
  let found: BulkAction | null = null
  const refusal = await attempt(async () => {
    found = await request.callApi(undoBulkAction, { id, dry_run: true })
  })
  const counted = found as BulkAction | null
  if (counted === null) return request.done(bulkPath(id), refusal ?? undefined)
  const { found: all, changed } = counted
  request.show({
    title: t('Undo a bulk action'),
    above: html`<a href="${bulkPath(id)}">${t('Back without a change')}</a>`,
    current: 'bulk-actions',
    problem,
    body: html`${tilesOf([
      [t('Actions'), all, t('of this bulk action')],
      [t('Will be undone'), changed, t('each with an entry in the audit log')],
      [t('Will stay'), all - changed, t('for the reasons below')],
    ])}${
      changed === 0
        ? html`<section class="card"><p>${t('No item would change.')}</p></section>`
        : html`<form class="card edit" method="post" action="${bulkPath(id)}/undo">${request.csrfField}<input type="hidden" name="expected" value="${all}">${linesOf(
            {
              name: 'text',
              label: t('Reason (optional)'),
              value: textIn(form, 'text'),
              help: t('Only staff reads this text.'),
              max: 2_000,
            },
          )}<p class="acts"><button type="submit">${t('Undo all ({number})', { number: numberOf(changed) })}</button><a class="button quiet" href="${bulkPath(id)}">${t('Cancel')}</a></p></form>`
    }${skipTable(counted.skipped)}${sampleTable(counted, t('Will be undone'))}`,
  })
}

const undo = async (request: StaffRequest, form: Fields): Promise<void> => {
  const id = idIn(request.req.params.id)
  const expected = textIn(form, 'expected')
  if (!isId(expected)) throw pageNotFound()
  let started: string | null = null
  const problem = await attempt(async () => {
    const text = textIn(form, 'text').trim() || null
    started = (await request.callApi(undoBulkAction, { id, expected: Number(expected), text })).id
  })
  return problem === null && started !== null
    ? request.done(bulkPath(started as string))
    : planUndo(request, form, problem)
}

export const addBulkActions = (admin: Admin): void => {
  admin.add('get', BULK, null, list)
  admin.add('get', `${BULK}/:id/undo`, 'view_audit_log', (request) => planUndo(request))
  admin.add('post', `${BULK}/:id/undo`, 'view_audit_log', undo)
  admin.add('get', `${BULK}/:id`, null, show)
}
