/** Bulk actions as the API shows them. */
import type { BulkAction, BulkActionItem, BulkNoun } from '@murmuration/contracts/admin'
import { countsOf, type Evaluation } from './rules.js'
import type { BulkActionRow, ItemRow } from './store.js'

/** Maximum number of items of a bulk action in a response. */
export const SAMPLE = 50

export const itemOf = ({ id, target, outcome }: ItemRow): BulkActionItem => ({
  id,
  target: target ?? id,
  outcome: outcome ?? 'waiting',
})

const starterIn = (stored: unknown): string | null => (stored as { id?: string } | null)?.id ?? null

export const bulkActionOf = (row: BulkActionRow, items: readonly ItemRow[]): BulkAction => ({
  id: row.id,
  noun: row.noun,
  action: row.action,
  dry_run: false,
  state: row.state ?? 'done',
  found: row.found,
  seen: row.seen ?? row.found,
  changed: row.changed ?? 0,
  skipped: row.notes ?? {},
  sample: items.map(itemOf),
  text: row.reason,
  undoes: row.undoes,
  undone_by: row.undone_by,
  started_by: starterIn(row.started_by),
  error: row.error,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

/** The response of a dry run. Its sample of items includes skipped and changing items. */
export const planOf = (
  what: { noun: BulkNoun; action: string; text: string | null; undoes: string | null },
  evaluated: Evaluation,
): BulkAction => {
  const items = [...evaluated].map(([id, { target, skip }]) => ({ id, target, outcome: skip ?? 'changed' }))
  const half = (isChanged: boolean) =>
    items.filter(({ outcome }) => (outcome === 'changed') === isChanged).slice(0, SAMPLE / 2)
  return {
    ...what,
    ...countsOf(evaluated),
    id: null,
    dry_run: true,
    state: 'planned',
    found: items.length,
    seen: items.length,
    sample: [...half(false), ...half(true)],
    undone_by: null,
    started_by: null,
    error: null,
    created_at: null,
    finished_at: null,
  }
}
