/** Stores strikes with the stamps of the decisions that they caused. Reads strikes with their appeals. */
import type { AdminAppeal, WarningAction } from '@murmuration/contracts/entities'
import { type Cursor, keyset, newestFirst, type Reader, type Sql, sql, type Tx } from '@murmuration/db'

export interface NewStrike {
  id: string
  account_id: string
  target_account_id: string
  action: WarningAction
  text: string
  report_id: string | null
  status_ids: string[]
  /** Stamp of the decision about the account that the action caused; null if it caused none. */
  stamp: string | null
  created_at: Date
}

interface Appealed {
  appeal_id: string
  appeal_text: string
  appeal_state: AdminAppeal['state']
  appeal_created_at: Date
  appeal_decided_at: Date | null
  appeal_decided_by: string | null
}

/** A strike with its appeal, if there is one. */
export type StrikeRow = NewStrike & { overruled_at: Date | null } & (Appealed | { [Column in keyof Appealed]: null })

const strikes = sql`select s.id, s.account_id, s.target_account_id, s.action, s.text, s.report_id, s.status_ids, s.stamp,
    s.created_at, s.overruled_at, a.id as appeal_id, a.text as appeal_text, a.state as appeal_state,
    a.created_at as appeal_created_at, a.decided_at as appeal_decided_at, a.decided_by_account_id as appeal_decided_by
  from strikes s left join appeals a on a.strike_id = s.id`

export const insertStrikes = (tx: Tx, rows: readonly NewStrike[]): Promise<number> =>
  tx.run(sql`insert into strikes (id, account_id, target_account_id, action, text, report_id, status_ids, stamp, created_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(id bigint, account_id bigint,
      target_account_id bigint, action text, text text, report_id bigint, status_ids bigint[], stamp text,
      created_at timestamptz)`)

/** The statement of a page of strikes, exported for the test of its query plan. */
export const strikePageQuery = (target: string | undefined, page: Cursor): Sql =>
  sql`${strikes} where ${target === undefined ? sql`true` : sql`s.target_account_id = ${target}::bigint`}
    ${keyset(sql`s.id`, page)}`

/** Returns one page of strikes, newest first, against one account or against all accounts. */
export const strikePage = async (db: Reader, target: string | undefined, page: Cursor): Promise<StrikeRow[]> =>
  newestFirst(await db.rows<StrikeRow>(strikePageQuery(target, page)), page)

export const strikeById = (db: Reader, id: string): Promise<StrikeRow | null> =>
  db.row<StrikeRow>(sql`${strikes} where s.id = ${id}`)

/**
 * One strike, locked until the transaction ends. The strike is read after it was locked, because an appeal may be
 * stored meanwhile.
 */
export const lockStrike = async (tx: Tx, id: string): Promise<StrikeRow | null> => {
  await tx.run(sql`select 1 from strikes where id = ${id} for update`)
  return strikeById(tx, id)
}

/** The SQL statement of `appealPage`, exported so that a test can check its query plan. */
export const appealPageQuery = (state: AdminAppeal['state'], page: Cursor): Sql =>
  sql`${strikes} where a.state = ${state} ${keyset(sql`a.id`, page)}`

/** Strikes with an appeal in this state, the newest appeal first. */
export const appealPage = async (db: Reader, state: AdminAppeal['state'], page: Cursor): Promise<StrikeRow[]> =>
  newestFirst(await db.rows<StrikeRow>(appealPageQuery(state, page)), page)

export const strikeOfAppeal = (db: Reader, appeal: string): Promise<StrikeRow | null> =>
  db.row<StrikeRow>(sql`${strikes} where a.id = ${appeal}`)

export const overruleStrike = (tx: Tx, id: string, at: Date): Promise<number> =>
  tx.run(sql`update strikes set overruled_at = ${at} where id = ${id} and overruled_at is null`)

/** Identifies a decision about an account by its stamp. */
export interface Decided {
  account: string
  stamp: string
}

const decided = (list: readonly Decided[]): Sql =>
  sql`unnest(${list.map((one) => one.account)}::bigint[], ${list.map((one) => one.stamp)}::text[]) as decided(account, stamp)
    where s.target_account_id = decided.account and s.stamp = decided.stamp`

/**
 * Overrules the strikes of undone decisions. Reinstates the strikes of restored decisions, unless an appeal was
 * approved.
 */
export const updateOverruled = async (
  tx: Tx,
  { undone, restored }: { undone: readonly Decided[]; restored: readonly Decided[] },
  at: Date,
): Promise<void> => {
  if (undone.length > 0)
    await tx.run(sql`update strikes s set overruled_at = ${at} from ${decided(undone)} and s.overruled_at is null`)
  if (restored.length > 0)
    await tx.run(sql`update strikes s set overruled_at = null from ${decided(restored)}
      and not exists (select 1 from appeals a where a.strike_id = s.id and a.state = 'approved')`)
}
