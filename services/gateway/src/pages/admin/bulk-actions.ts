/** Bulk actions below `/admin`: the list, the progress of one, and its undo with a dry run. */
import { type BulkAction, listBulkActions, showBulkAction, undoBulkAction } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { say, sayOf } from '../core/language.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import { nothingHere } from '../core/visit.js'
import { BULK } from './bulk-bar.js'
import { sampleTable, skipTable, tilesOf } from './bulk-plan.js'
import { actionName, NOUN_LABELS, STATES } from './bulk-words.js'
import { linesOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffVisit } from './frame.js'
import { badge, facts, filtersIn, nextPage, table } from './table.js'

const ROWS = 40
const REFRESH_SECONDS = '2'

export const bulkPath = (id: string): string => `${BULK}/${id}`

const stateBadge = ({ state }: BulkAction): Html => badge(...(STATES[state] ?? [state, 'calm']))
const titleOf = ({ noun, action }: BulkAction): Html =>
  html`${say(actionName(action))}: ${say(NOUN_LABELS[noun] ?? noun)}`

const list = async (visit: StaffVisit): Promise<void> => {
  const { max_id } = filtersIn(visit.req.query, ['max_id'])
  const { items, older } = await visit.ask.page(listBulkActions, {
    limit: ROWS,
    ...(max_id && isId(max_id) ? { max_id } : {}),
  })
  visit.show({
    title: 'Bulk actions',
    current: 'bulk-actions',
    body: html`<p class="soft">Start one on the pages of accounts, pending sign-ups, trends and blocked servers.</p>${table(
      'Bulk actions',
      ['Time', 'Action', 'State', 'Changed', 'Items'],
      items.map((one) => [
        timeOf(one.created_at ?? ''),
        html`<a href="${bulkPath(one.id ?? '')}"><b>${titleOf(one)}</b></a>`,
        stateBadge(one),
        numberOf(one.changed),
        numberOf(one.found),
      ]),
      'There was no bulk action yet.',
    )}${items.length >= ROWS ? nextPage(BULK, {}, { max_id: older }) : ''}`,
  })
}

const progress = ({ state, seen, found }: BulkAction): Html | '' =>
  state === 'running'
    ? html`<section class="card"><p role="status">${sayOf('%s done. This page loads itself again.', `${numberOf(seen)} / ${numberOf(found)}`)}</p><progress max="${found}" value="${seen}" aria-label="${say('Progress')}"></progress></section>`
    : ''

/** Approvals and rejections of sign-ups are final. */
const isFinal = ({ noun, action }: BulkAction): boolean =>
  noun === 'account' && (action === 'approve' || action === 'reject')

const undoCard = (visit: StaffVisit, one: BulkAction): Html | '' => {
  if (one.state === 'running' || one.changed === 0 || !visit.may('view_audit_log')) return ''
  if (isFinal(one)) return html`<section class="card"><p>Decisions about sign-ups are final.</p></section>`
  return html`<section class="card"><h2>Undo</h2><p>${say('Each item gets the state from before. Items that changed since stay as they are, and are named.')}</p><p class="acts"><a class="button" href="${bulkPath(one.id ?? '')}/undo">Undo all…</a></p></section>`
}

const show = async (visit: StaffVisit): Promise<void> => {
  const one = await visit.ask(showBulkAction, { id: idIn(visit.req.params.id) })
  if (one.state === 'running') visit.res.setHeader('Refresh', REFRESH_SECONDS)
  visit.show({
    title: 'Bulk action',
    heading: html`${titleOf(one)} ${stateBadge(one)}`,
    above: html`<a href="${BULK}">Bulk actions</a>`,
    current: 'bulk-actions',
    body: html`${progress(one)}${tilesOf([
      ['Selected', one.found, 'when the action started'],
      ['Changed', one.changed, 'each with an entry in the audit log'],
      ['Not changed', one.seen - one.changed, 'for the reasons below'],
    ])}<section class="card">${facts([
      ['Started', one.created_at && timeOf(one.created_at)],
      ['Ended', one.finished_at && timeOf(one.finished_at)],
      ['Reason', one.text && html`<span class="quote">${one.text}</span>`],
      ['Error', one.error],
      ['Undoes', one.undoes && html`<a href="${bulkPath(one.undoes)}">The bulk action that this one undid</a>`],
      [
        'Undone by',
        one.undone_by && html`<a href="${bulkPath(one.undone_by)}">The bulk action that undid this one</a>`,
      ],
      [
        'Audit log',
        visit.may('view_audit_log') &&
          html`<a href="/admin/audit_log?batch_id=${one.id}">All entries of this bulk action</a>`,
      ],
    ])}</section>${undoCard(visit, one)}${skipTable(one.skipped)}${sampleTable(one, 'Changed')}`,
  })
}

const planUndo = async (visit: StaffVisit, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const id = idIn(visit.req.params.id)
  let found: BulkAction | null = null
  const refusal = await attempt(async () => {
    found = await visit.ask(undoBulkAction, { id, dry_run: true })
  })
  const counted = found as BulkAction | null
  if (counted === null) return visit.done(bulkPath(id), refusal ?? undefined)
  const { found: all, changed } = counted
  visit.show({
    title: 'Undo a bulk action',
    above: html`<a href="${bulkPath(id)}">Back without a change</a>`,
    current: 'bulk-actions',
    problem,
    body: html`${tilesOf([
      ['Actions', all, 'of this bulk action'],
      ['Will be undone', changed, 'each with an entry in the audit log'],
      ['Will stay', all - changed, 'for the reasons below'],
    ])}${
      changed === 0
        ? html`<section class="card"><p>No item would change.</p></section>`
        : html`<form class="card edit" method="post" action="${bulkPath(id)}/undo">${visit.proof}<input type="hidden" name="expected" value="${all}">${linesOf(
            {
              name: 'text',
              label: 'Reason (optional)',
              value: textIn(form, 'text'),
              help: 'Only staff reads this text.',
              max: 2_000,
            },
          )}<p class="acts"><button type="submit">${sayOf('Undo all (%s)', numberOf(changed))}</button><a class="button quiet" href="${bulkPath(id)}">Cancel</a></p></form>`
    }${skipTable(counted.skipped)}${sampleTable(counted, 'Will be undone')}`,
  })
}

const undo = async (visit: StaffVisit, form: Fields): Promise<void> => {
  const id = idIn(visit.req.params.id)
  const expected = textIn(form, 'expected')
  if (!isId(expected)) throw nothingHere()
  let started: string | null = null
  const problem = await attempt(async () => {
    const text = textIn(form, 'text').trim() || null
    started = (await visit.ask(undoBulkAction, { id, expected: Number(expected), text })).id
  })
  return problem === null && started !== null ? visit.done(bulkPath(started as string)) : planUndo(visit, form, problem)
}

export const addBulkActions = (admin: Admin): void => {
  admin.add('get', BULK, null, list)
  admin.add('get', `${BULK}/:id/undo`, 'view_audit_log', (visit) => planUndo(visit))
  admin.add('post', `${BULK}/:id/undo`, 'view_audit_log', undo)
  admin.add('get', `${BULK}/:id`, null, show)
}
