/** Bar below a list that starts a bulk action: scope of the selection, and the action. The bar works without scripts. */
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { select } from './table.js'

export const BULK = '/admin/bulk_actions'
const FORM = 'bulk'

/** Checkbox of one row of a list. `name`: its label for screen readers. */
export const bulkBox = (id: string, name: string): Html =>
  html`<label class="choice"><input type="checkbox" name="ids[]" value="${id}" form="${FORM}" aria-label="${t('Select {name}', { name })}"></label>`

export interface BulkBar {
  readonly csrfField: Html
  readonly noun: string
  /** Name and label of each bulk action that the bar offers. */
  readonly actions: readonly (readonly [string, string])[]
  /** Ids of the rows on the page of the list. */
  readonly ids: readonly string[]
  /** Filters of the list, for the choice to select all matching rows; null if the list does not offer this choice. */
  readonly query: Readonly<Record<string, unknown>> | null
  /** Label of the choice to select all matching rows. */
  readonly all?: string
  /** Path of the list, to which the confirmation page returns. */
  readonly back: string
}

/** Renders the bar for bulk actions. It is empty for a list without rows. */
export const bulkBar = ({
  csrfField,
  noun,
  actions,
  ids,
  query,
  all = t('Everything that matches'),
  back,
}: BulkBar): Html | '' =>
  ids.length === 0
    ? ''
    : html`<form id="${FORM}" class="bulk filters" method="post" action="${BULK}/confirm">${csrfField}<input type="hidden" name="noun" value="${noun}"><input type="hidden" name="page_ids" value="${ids.join(',')}"><input type="hidden" name="query" value="${JSON.stringify(query ?? {})}"><input type="hidden" name="back" value="${back}">${select(
        { name: 'scope', label: t('Apply to'), value: 'selected' },
        [
          ['selected', t('The selected rows')],
          ['page', t('All rows of this page')],
          ...(query === null ? [] : [['all', all] as const]),
        ],
      )}${select({ name: 'action', label: t('Action'), value: '' }, actions)}<div class="acts"><button type="submit">${t('Count first…')}</button></div></form>`
