/** Reads and changes accounts for moderation: single accounts, or all accounts of a domain in pages. */
import { type Reader, type Sql, sql, type Tx } from '@murmuration/db'

/** The accounts of a domain, and of its subdomains unless `exact`. */
export interface DomainScope {
  domain: string
  exact?: boolean | undefined
}

/** Single accounts. `replaces`: overwrites the stamp of an earlier decision. A stamp names the decision that set the state. */
export interface AccountScope {
  ids: readonly string[]
  replaces?: boolean | undefined
}

export type Scope = AccountScope | DomainScope

/**
 * Position in a walk through the accounts of a domain. Because handles and actor ids of a server may have different domains, the walk has
 * two parts. The first part reads accounts by the domain of their handle. The second part reads further accounts by the host of
 * their actor id.
 */
export interface Position {
  by: 'handle' | 'address'
  /** The domain or host with its characters in reverse order. */
  turned: string
  id: string
}

export type Restriction = 'silenced' | 'suspended'

interface Found {
  id: string
  turned: string
}

interface FoundOrChanged extends Found {
  /** False if another transaction changed or deleted the account before the update. */
  changed: boolean
}

const columnsOf = (restriction: Restriction): { at: Sql; stamp: Sql } =>
  restriction === 'silenced'
    ? { at: sql`silenced_at`, stamp: sql`silenced_by` }
    : { at: sql`suspended_at`, stamp: sql`suspended_by` }

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

const reversed = (name: string): string => [...name].reverse().join('')

/** SQL of an update of accounts: the columns that are set, and the condition for the rows. */
interface Change {
  set: Sql
  where: Sql
}

/** SQL of the next accounts in one part of a walk. The index on the reversed name contains a domain and its subdomains in one range. */
const pageOn = ({ domain, exact }: DomainScope, from: Position, where: Sql, limit: number): Sql => {
  const [turned, here] =
    from.by === 'handle'
      ? [sql`reverse(domain)`, sql`domain is not null`]
      : [sql`reverse(split_part(uri, '/', 3))`, sql`domain is not null and split_part(uri, '/', 3) <> domain`]
  const top = reversed(domain)
  const below = sql`union all (select 1, id, ${turned} from accounts where ${here} and ${turned} ~>~ ${from.turned}
      and ${turned} ~>=~ ${`${top}.`} and ${turned} ~<~ ${`${top}/`} and ${where}
    order by ${turned} using ~<~, id limit ${limit})`
  return sql`select id, turned from (
      (select 0 as way, id, ${turned} as turned from accounts
        where ${here} and ${turned} = ${from.turned} and id > ${from.id} and ${where} order by id limit ${limit})
      ${exact ? sql`` : below}) found order by way, turned using ~<~, id limit ${limit}`
}

/** Changes a page of accounts. The condition is evaluated again for accounts that another transaction changed meanwhile. */
const changeOn = (
  tx: Tx,
  scope: DomainScope,
  from: Position,
  { set, where }: Change,
  limit: number,
): Promise<FoundOrChanged[]> =>
  tx.rows<FoundOrChanged>(sql`with page as materialized (${pageOn(scope, from, where, limit)}),
    changed as (update accounts a set ${set} from page where a.id = page.id and ${where} returning a.id)
    select page.id, page.turned, page.id in (select changed.id from changed) as changed from page`)

const lastOf = (found: readonly Found[], by: Position['by']): Position | null => {
  const last = found
    .toSorted((a, b) => (a.turned === b.turned ? Number(BigInt(a.id) - BigInt(b.id)) : a.turned < b.turned ? -1 : 1))
    .at(-1)
  return last === undefined ? null : { by, turned: last.turned, id: last.id }
}

/** A page of account ids, and the position after which the next page begins. `next` is null if no page is left. */
export interface Changed {
  ids: string[]
  next: Position | null
  /** Number of accounts in the page, also of those that another transaction changed meanwhile. */
  found: number
}

/** First position of a walk through the accounts of a domain. */
export const firstPosition = (domain: string): Position => ({ by: 'handle', turned: reversed(domain), id: '0' })

type PageFrom<Row> = (from: Position, limit: number) => Promise<Row[]>

/** Reads one page of a walk through the accounts of a domain: first by the domain of handles, then by the host of actor ids. */
const walk = async <Row extends Found>(
  scope: DomainScope,
  limit: number,
  from: Position,
  pageFrom: PageFrom<Row>,
): Promise<{ rows: Row[]; next: Position | null }> => {
  const first = await pageFrom(from, limit)
  if (first.length === limit) return { rows: first, next: lastOf(first, from.by) }
  if (from.by === 'address' || scope.exact) return { rows: first, next: null }
  const others = await pageFrom({ ...firstPosition(scope.domain), by: 'address' }, limit - first.length)
  const isFull = first.length + others.length === limit
  return { rows: [...first, ...others], next: isFull ? lastOf(others, 'address') : null }
}

const change = async (tx: Tx, scope: Scope, it: Change, limit: number, after: Position | null): Promise<Changed> => {
  if ('domain' in scope) {
    const { rows, next } = await walk(scope, limit, after ?? firstPosition(scope.domain), (from, limit) =>
      changeOn(tx, scope, from, it, limit),
    )
    return { ids: idsOf(rows.filter((row) => row.changed)), next, found: rows.length }
  }
  const update = sql`update accounts set ${it.set} where id = any(${scope.ids}::bigint[]) and ${it.where} returning id`
  const ids = idsOf(await tx.rows(update))
  return { ids, next: null, found: ids.length }
}

/** A page of accounts of a domain that are suspended, but not by the domain block with this stamp. */
export const suspendedOtherwise = async (
  db: Reader,
  scope: DomainScope,
  { stamp, limit, after }: { stamp: string; limit: number; after: Position },
): Promise<{ ids: string[]; next: Position | null }> => {
  const where = sql`removed_at is null and suspended_at is not null and suspended_by is distinct from ${stamp}`
  const { rows, next } = await walk(scope, limit, after, (from, limit) =>
    db.rows<Found>(pageOn(scope, from, where, limit)),
  )
  return { ids: idsOf(rows), next }
}

interface Page {
  limit: number
  /**
   * Position after which the page begins; null for the first page. It has no effect for a list of account ids, because the list is
   * changed as one page.
   */
  after: Position | null
}

/** Beginning of the stamp of accounts that staff exempted from domain rules. The stamp of the exempting decision follows. */
export const EXEMPT = 'exempt '

/** Whether a stamp is the creation time of a domain block. */
export const isTime = (stamp: string): boolean => /^\d{4}-\d\d-\d\dT/.test(stamp)

/** SQL condition: staff did not exempt the account after the block with this stamp was made. */
const notExempt = (own: { stamp: Sql }, stamp: string): Sql =>
  isTime(stamp) ? sql`and (${own.stamp} is null or ${own.stamp} < ${EXEMPT + stamp})` : sql``

/**
 * Limits or suspends accounts that are not limited or suspended yet. Another decision is replaced only if its stamp is `weaker`, or with
 * `replaces`.
 */
export const applyRestriction = (
  tx: Tx,
  restriction: Restriction,
  scope: Scope,
  { stamp, at, weaker, limit, after }: Page & { stamp: string; at: Date; weaker: string | null },
): Promise<Changed> => {
  const own = columnsOf(restriction)
  const set = sql`${own.at} = ${at}, ${own.stamp} = ${stamp}`
  const other =
    'ids' in scope && scope.replaces ? sql`${own.stamp} is distinct from ${stamp}` : sql`${own.stamp} = ${weaker}`
  const free = 'domain' in scope ? sql`(${own.at} is null ${notExempt(own, stamp)})` : sql`${own.at} is null`
  return change(tx, scope, { set, where: sql`(${free} or ${other})` }, limit, after)
}

/**
 * Lifts a limit or suspension, except of removed accounts. In a domain, only accounts with one of the stamps change. Single remote accounts
 * are then exempt from existing blocks; with `replaces`, an existing exemption ends instead.
 */
export const liftRestriction = (
  tx: Tx,
  restriction: Restriction,
  scope: Scope,
  { stamp, stamps, limit, after }: Page & { stamp: string; stamps: readonly string[] },
): Promise<Changed> => {
  const own = columnsOf(restriction)
  const set = (to: Sql): Sql => sql`${own.at} = null, ${own.stamp} = ${to}`
  if ('domain' in scope) {
    const where = sql`removed_at is null and ${own.at} is not null and ${own.stamp} = any(${stamps}::text[])`
    return change(tx, scope, { set: set(sql`null`), where }, limit, after)
  }
  if (scope.replaces) {
    const where = sql`removed_at is null and (${own.at} is not null or ${own.stamp} is not null)`
    return change(tx, scope, { set: set(sql`null`), where }, limit, after)
  }
  const exempt = sql`case when domain is not null then ${EXEMPT + stamp}::text end`
  return change(tx, scope, { set: set(exempt), where: sql`removed_at is null and ${own.at} is not null` }, limit, after)
}

/** Accounts among `ids` that a decision with this stamp suspends. */
export const suspendedBy = async (db: Reader, ids: readonly string[], stamp: string): Promise<string[]> =>
  idsOf(
    await db.rows(
      sql`select id from accounts where id = any(${ids}::bigint[]) and suspended_by = ${stamp} order by id`,
    ),
  )

/**
 * The stamps of the suspension and the limit of an account, and whether its media are marked as sensitive. A stamp is
 * null without a decision.
 */
export const decisionsOn = (
  db: Reader,
  id: string,
): Promise<{ suspended: string | null; silenced: string | null; sensitized: boolean } | null> =>
  db.row(sql`select case when suspended_at is not null then suspended_by end as suspended,
      case when silenced_at is not null then silenced_by end as silenced, sensitized_at is not null as sensitized
    from accounts where id = ${id}`)

/** Marks all media of accounts as sensitive, or removes the mark (null). Returns the ids of changed accounts. */
export const setSensitized = async (tx: Tx, ids: readonly string[], at: Date | null): Promise<string[]> =>
  idsOf(
    await tx.rows(sql`update accounts set sensitized_at = ${at}
      where id = any(${ids}::bigint[]) and (sensitized_at is null) = (${at}::timestamptz is not null) returning id`),
  )

/** Disables or enables users. Returns the account ids of changed users. */
export const setDisabled = async (tx: Tx, ids: readonly string[], disabled: boolean): Promise<string[]> =>
  idsOf(
    await tx.rows(sql`update users set disabled = ${disabled}
      where account_id = any(${ids}::bigint[]) and disabled <> ${disabled} returning account_id as id`),
  )
