/** Stores the last decision of staff about each state of an account. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'

export type AccountState = 'disable' | 'sensitive' | 'silence' | 'suspend'

export interface DecisionRow {
  wanted: boolean
  stamp: string
  /**
   * True: the stamp replaces any other stamp of the account; if `wanted` is false, the domain rules decide again about
   * the state. False: an account whose state is lifted is exempt from the current domain rules.
   */
  replaces: boolean
}

const columns = sql`wanted, stamp, replaces`

/** Stores decisions about one state of accounts. */
export const putDecisions = (
  tx: Tx,
  state: AccountState,
  rows: readonly (DecisionRow & { account: string })[],
): Promise<number> =>
  tx.run(sql`insert into decisions (account_id, state, wanted, stamp, replaces)
    select account, ${state}, wanted, stamp, replaces from unnest(${rows.map((row) => row.account)}::bigint[],
      ${rows.map((row) => row.wanted)}::boolean[], ${rows.map((row) => row.stamp)}::text[],
      ${rows.map((row) => row.replaces)}::boolean[]) as given(account, wanted, stamp, replaces)
    order by account on conflict (account_id, state) do update
      set wanted = excluded.wanted, stamp = excluded.stamp, replaces = excluded.replaces`)

const read = async (db: Reader, state: AccountState, accounts: readonly string[], lock: Sql) => {
  const rows = await db.rows<DecisionRow & { account_id: string }>(sql`select account_id, ${columns} from decisions
    where state = ${state} and account_id = any(${accounts}::bigint[]) order by account_id ${lock}`)
  return new Map(rows.map(({ account_id, ...row }): [string, DecisionRow] => [account_id, row]))
}

/** Decisions about one state of these accounts, by account id. */
export const decisionsOf = (db: Reader, state: AccountState, accounts: readonly string[]) =>
  read(db, state, accounts, sql``)

/** Returns decisions like `decisionsOf`, locked until the transaction ends. Accounts without a decision are locked too. */
export const lockDecisions = async (tx: Tx, state: AccountState, accounts: readonly string[]) => {
  const names = [...new Set(accounts)].toSorted().map((account) => `decision ${state} ${account}`)
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${names}::text[]) as one(name)`)
  return read(tx, state, accounts, sql`for update`)
}

/** Deletes decisions about one state of accounts. */
export const deleteDecisions = (tx: Tx, state: AccountState, accounts: readonly string[]): Promise<number> =>
  tx.run(sql`delete from decisions where state = ${state} and account_id = any(${accounts}::bigint[])`)
