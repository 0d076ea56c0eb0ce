/** Stores bulk actions with the progress of their tasks, and the items that each bulk action selected. */
import type { BulkNoun } from '@murmuration/contracts/admin'
import {
  bigints,
  type Cursor,
  keyset,
  newestFirst,
  type Reader,
  type Sql,
  sql,
  type TaskRow,
  type Tx,
} from '@murmuration/db'

export interface NewBulkAction {
  id: string
  noun: BulkNoun
  action: string
  reason: string | null
  notify: boolean
  /** The account that started the bulk action, with its permissions and position; null for operators. */
  started_by: unknown
  /** Id of the bulk action that this bulk action undoes; null if it is no undo. */
  undoes: string | null
  found: number
  created_at: Date
}

/** A bulk action with the columns of its task, which are null when the task is deleted. */
export interface BulkActionRow extends NewBulkAction {
  state: TaskRow['state'] | null
  seen: number | null
  changed: number | null
  notes: Record<string, number> | null
  error: string | null
  finished_at: Date | null
  undone_by: string | null
}

export interface ItemRow {
  id: string
  target: string | null
  /** `changed`, or the reason why the item did not change; null while the item waits. */
  outcome: string | null
}

export const insertBulkAction = (tx: Tx, row: NewBulkAction): Promise<number> =>
  tx.run(sql`insert into bulk_actions (id, noun, action, reason, notify, started_by, undoes, found, created_at)
    values (${row.id}, ${row.noun}, ${row.action}, ${row.reason}, ${row.notify},
      ${row.started_by === null ? null : JSON.stringify(row.started_by)}::jsonb, ${row.undoes}, ${row.found}, ${row.created_at})`)

/** Stores the selected items of a bulk action. */
export const insertItems = (tx: Tx, bulkAction: string, ids: readonly string[]): Promise<number> =>
  tx.run(sql`insert into bulk_action_items (bulk_action_id, target_id)
    select ${bulkAction}::bigint, id from unnest(${bigints(ids)}) as given(id)`)

const bulkActions = sql`select b.id, b.noun, b.action, b.reason, b.notify, b.started_by, b.undoes, b.found, b.created_at,
    t.state, t.seen::float8 as seen, t.changed::float8 as changed, t.notes, t.error, t.finished_at,
    (select max(u.id) from bulk_actions u where u.undoes = b.id) as undone_by
  from bulk_actions b left join tasks t on t.id = b.id`

export const bulkActionById = (db: Reader, id: string): Promise<BulkActionRow | null> =>
  db.row<BulkActionRow>(sql`${bulkActions} where b.id = ${id}`)

/** The SQL statement of `bulkActionPage`, exported for the test of its query plan. */
export const bulkActionPageQuery = (nouns: readonly BulkNoun[], page: Cursor): Sql =>
  sql`${bulkActions} where b.noun = any(${nouns}::text[]) ${keyset(sql`b.id`, page)}`

/** One page of bulk actions on these nouns, newest first. */
export const bulkActionPage = async (db: Reader, nouns: readonly BulkNoun[], page: Cursor): Promise<BulkActionRow[]> =>
  newestFirst(await db.rows<BulkActionRow>(bulkActionPageQuery(nouns, page)), page)

/** The SQL statement of `itemsAfter`, exported for the test of its query plan. */
export const itemsAfterQuery = (bulkAction: string, after: string, limit: number): Sql =>
  sql`select target_id as id, begun from bulk_action_items
    where bulk_action_id = ${bulkAction} and target_id > ${after}::bigint order by target_id limit ${limit}`

/** Items of a bulk action with ids after this id, in the order of ids. */
export const itemsAfter = (
  db: Reader,
  bulkAction: string,
  after: string,
  limit: number,
): Promise<{ id: string; begun: boolean }[]> => db.rows(itemsAfterQuery(bulkAction, after, limit))

/** Marks items as begun before another service changes them. */
export const beginItems = (db: Reader, bulkAction: string, ids: readonly string[]): Promise<number> =>
  db.run(sql`update bulk_action_items set begun = true
    where bulk_action_id = ${bulkAction} and target_id = any(${bigints(ids)})`)

/** Stores the outcomes of items of a bulk action. */
export const finishItems = (
  tx: Tx,
  bulkAction: string,
  rows: readonly { id: string; target: string; outcome: string }[],
): Promise<number> =>
  tx.run(sql`update bulk_action_items i set target = given.target, outcome = given.outcome
    from unnest(${bigints(rows.map((row) => row.id))}, ${rows.map((row) => row.target)}::text[],
      ${rows.map((row) => row.outcome)}::text[]) as given(id, target, outcome)
    where i.bulk_action_id = ${bulkAction} and i.target_id = given.id`)

/** A sample of the processed items of a bulk action, unchanged items first. */
export const sampleItems = (db: Reader, bulkAction: string, limit: number): Promise<ItemRow[]> =>
  db.rows<ItemRow>(sql`select target_id as id, target, outcome from bulk_action_items
    where bulk_action_id = ${bulkAction} and outcome is not null order by outcome = 'changed', target_id limit ${limit}`)

/** One page of the items of a bulk action, the highest id first. */
export const itemPage = async (
  db: Reader,
  bulkAction: string,
  outcome: string | null | undefined,
  page: Cursor,
): Promise<ItemRow[]> =>
  newestFirst(
    await db.rows<ItemRow>(sql`select target_id as id, target, outcome from bulk_action_items
      where bulk_action_id = ${bulkAction} ${outcome ? sql`and outcome = ${outcome}` : sql``}
      ${keyset(sql`target_id`, page)}`),
    page,
  )

/** Deletes bulk actions from before this time with their items. Returns the number of deleted rows. */
export const deleteOldBulkActions = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from bulk_actions where id in (select id from bulk_actions
    where created_at < ${before} order by created_at limit ${limit})`)
