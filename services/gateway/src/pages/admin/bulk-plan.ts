/** Confirmation page of a bulk action: counts of a dry run, and the form that starts the action. */
import { type BulkAction, createBulkAction, MAX_BULK_IDS } from '@murmuration/contracts/admin'
import { isId } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { numberOf } from '../core/parts/time.js'
import { BULK } from './bulk-bar.js'
import { actionName, DANGEROUS, NOTIFYING, nounName, outcomeText } from './bulk-labels.js'
import { linesOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, check, idsIn, table } from './table.js'

type Selection = { ids: string[] } | { query: Record<string, unknown> }

interface Wanted {
  noun: string
  action: string
  selection: Selection
  /** Path of the list that contains the selection. */
  back: string
}

const listIn = (text: string): string[] => idsIn(text === '' ? [] : text.split(','), MAX_BULK_IDS)

const queryIn = (text: string): Record<string, unknown> => {
  try {
    const query: unknown = JSON.parse(text)
    if (typeof query === 'object' && query !== null) return query as Record<string, unknown>
  } catch {
    // Invalid JSON gets the same response as other invalid values: 404.
  }
  throw pageNotFound()
}

const selectionIn = (form: Fields): Selection => {
  const scope = textIn(form, 'scope')
  if (scope === 'all') return { query: queryIn(textIn(form, 'query')) }
  if (scope === 'page') return { ids: listIn(textIn(form, 'page_ids')) }
  return { ids: scope === 'given' ? listIn(textIn(form, 'page_ids')) : idsIn(form['ids[]'] ?? form.ids, MAX_BULK_IDS) }
}

/** Returns the path in the form field `back` if it is below `/admin`, else `/admin`. */
const backIn = (form: Fields): string => {
  const back = textIn(form, 'back')
  return /^\/admin\/[a-z_/]+(\?[\w%&=.+~*-]*)?$/.test(back) ? back : '/admin'
}

const wantedIn = (form: Fields): Wanted => ({
  noun: textIn(form, 'noun'),
  action: textIn(form, 'action'),
  selection: selectionIn(form),
  back: backIn(form),
})

export const skipTable = (skipped: Readonly<Record<string, number>>): Html | '' => {
  const reasons = Object.entries(skipped).toSorted(([, a], [, b]) => b - a)
  return reasons.length === 0
    ? ''
    : html`<h2>${t('Items that do not change')}</h2>${table(
        t('Items that do not change'),
        [t('Reason'), t('Items')],
        reasons.map(([reason, count]) => [outcomeText(reason) ?? reason, numberOf(count)]),
        '',
      )}`
}

/** Table of sample items with their outcomes. `changed` is the label of items that change. */
export const sampleTable = ({ sample, found }: BulkAction, changed: string): Html =>
  html`<h2>${found > sample.length ? t('Some of the items') : t('Items')}</h2>${table(
    t('Items'),
    [t('Item'), t('Outcome')],
    sample.map(({ target, outcome }) => {
      const reason = outcomeText(outcome)
      return [html`<b>${target}</b>`, reason ?? badge(outcome === 'changed' ? changed : t('Waiting'), 'ok')]
    }),
    t('No item was looked at yet.'),
  )}`

export const tilesOf = (tiles: readonly (readonly [label: string, count: number, note: string])[]): Html =>
  html`<div class="tiles">${tiles.map(
    ([label, count, note]) =>
      html`<section class="card tile"><h2 class="label">${label}</h2><p class="value">${numberOf(count)}</p><p class="muted">${note}</p></section>`,
  )}</div>`

const countTiles = ({ found, changed }: BulkAction): Html =>
  tilesOf([
    [t('Selected'), found, t('items that match now')],
    [t('Will change'), changed, t('each with an entry in the audit log')],
    [t('Will not change'), found - changed, t('for the reasons below')],
  ])

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

const startForm = (
  { csrfField }: StaffRequest,
  { noun, action, selection, back }: Wanted,
  plan: BulkAction,
  form: Fields,
): Html => {
  const isNotifying = noun === 'account' && NOTIFYING.has(action)
  const fields = [
    ['noun', noun],
    ['action', action],
    ['back', back],
    ['scope', 'ids' in selection ? 'given' : 'all'],
    ['page_ids', 'ids' in selection ? selection.ids.join(',') : ''],
    ['query', 'query' in selection ? JSON.stringify(selection.query) : ''],
    ['expected', String(plan.found)],
  ] as const
  return html`<form class="card edit" method="post" action="${BULK}">${csrfField}${fields.map(([name, value]) => hidden(name, value))}<div class="preview" role="note"><p>${t('The selection is fixed when you start. If it changed until then, nothing happens and you count again.')}</p></div>${linesOf(
    {
      name: 'text',
      label: t('Reason (optional)'),
      value: textIn(form, 'text'),
      help: isNotifying
        ? t('The account holders read this text, and so does staff in the audit log.')
        : t('Only staff reads this text.'),
      max: 2_000,
    },
  )}${isNotifying ? check('notify', t('Send an e-mail to the account holders'), true) : ''}<p class="acts"><button${DANGEROUS.has(action) ? html` class="danger"` : ''} type="submit">${`${actionName(action)} (${numberOf(plan.changed)})`}</button><a class="button quiet" href="${back}">${t('Cancel')}</a></p></form>`
}

const plan = async (request: StaffRequest, form: Fields, problem: string | null = null): Promise<void> => {
  const wanted = wantedIn(form)
  const { noun, action, selection, back } = wanted
  if ('ids' in selection && selection.ids.length === 0) return request.done(back, t('Nothing was selected.'))
  let found: BulkAction | null = null
  const refusal = await attempt(async () => {
    found = await request.callApi(createBulkAction, { noun, action, ...selection, dry_run: true })
  })
  const counted = found as BulkAction | null
  if (counted === null) return request.done(back, refusal ?? undefined)
  request.show({
    title: t('Confirm a bulk action'),
    heading: html`${actionName(action)}: ${nounName(noun)}`,
    above: html`<a href="${back}">${t('Back without a change')}</a>`,
    current: 'bulk-actions',
    problem,
    body: html`${countTiles(counted)}${
      counted.changed > 0
        ? startForm(request, wanted, counted, form)
        : html`<section class="card"><p>${t('No item would change.')}</p></section>`
    }${skipTable(counted.skipped)}${sampleTable(counted, t('Will change'))}`,
  })
}

const start = async (request: StaffRequest, form: Fields): Promise<void> => {
  const { noun, action, selection } = wantedIn(form)
  const expected = textIn(form, 'expected')
  if (!isId(expected)) throw pageNotFound()
  let id: string | null = null
  const problem = await attempt(async () => {
    const text = textIn(form, 'text').trim() || null
    const send_email_notification = form.notify === '1'
    const input = { noun, action, ...selection, expected: Number(expected), text, send_email_notification }
    id = (await request.callApi(createBulkAction, input)).id
  })
  return problem === null && id !== null ? request.done(`${BULK}/${id as string}`) : plan(request, form, problem)
}

export const addBulkPlan = (admin: Admin): void => {
  admin.add('post', `${BULK}/confirm`, null, (request, form) => plan(request, form))
  admin.add('post', BULK, null, start)
}
