/** SQL of direct conversations: one for each owner, thread and set of participants. */
import { bigints, type Cursor, isAscending, keyset, newestFirst, type Reader, sql, type Tx } from '@murmuration/db'

export interface ConversationRow {
  id: string
  account_id: string
  participants: string[]
  last_status_id: string
  unread: boolean
}

/** Conversation that a status belongs to. */
export interface Wanted {
  /** Id of the row if the conversation is new. An existing conversation keeps its id. */
  id: string
  owner: string
  participants: string[]
  key: string
  unread: boolean
}

const columns = sql`id, account_id, participants, last_status_id, unread`

/** A page of an account's conversations, sorted by their last status. */
export const conversationPage = async (db: Reader, account: string, page: Cursor): Promise<ConversationRow[]> =>
  newestFirst(
    await db.rows<ConversationRow>(
      sql`select ${columns} from conversations where account_id = ${account} ${keyset(sql`last_status_id`, page)}`,
    ),
    page,
  )

/** Conversations with these ids that the account owns. */
export const conversationsByIds = (db: Reader, account: string, ids: readonly string[]): Promise<ConversationRow[]> =>
  db.rows(sql`select ${columns} from conversations where account_id = ${account} and id = any(${bigints(ids)})`)

/** Marks a conversation as read or unread. Returns null if the account does not own it. */
export const markConversation = (
  tx: Tx,
  account: string,
  id: string,
  unread: boolean,
): Promise<ConversationRow | null> =>
  tx.row(
    sql`update conversations set unread = ${unread} where id = ${id} and account_id = ${account} returning ${columns}`,
  )

export const deleteConversation = (tx: Tx, account: string, id: string): Promise<number> =>
  tx.run(sql`delete from conversations where id = ${id} and account_id = ${account}`)

/** Deletes an account's conversations with a participant. */
export const deleteConversationsWith = (tx: Tx, account: string, other: string): Promise<number> =>
  tx.run(sql`delete from conversations where account_id = ${account} and participants @> array[${other}::bigint]`)

export const eraseConversationsOf = (tx: Tx, account: string): Promise<number> =>
  tx.run(sql`delete from conversations where account_id = ${account}`)

/** Ids of the statuses in an account's conversations. */
export const directIds = async (db: Reader, account: string, page: Cursor): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`select status_id as id from conversation_statuses
    where account_id = ${account} ${page.max_id === undefined ? sql`` : sql`and status_id < ${page.max_id}::bigint`}
      and status_id > ${page.min_id ?? page.since_id ?? '0'}::bigint
    order by status_id ${isAscending(page) ? sql`asc` : sql`desc`} limit ${page.limit}`)
  return newestFirst(rows, page).map((row) => row.id)
}

/** Accounts that have the status in a conversation. */
export const ownersWithStatus = async (db: Reader, status: string): Promise<string[]> =>
  (
    await db.rows<{ account_id: string }>(sql`select account_id from conversation_statuses where status_id = ${status}`)
  ).map((row) => row.account_id)

/** A conversation that changed, and its owner. */
export interface Changed {
  id: string
  account_id: string
}

/**
 * Removes a status from all conversations except `kept`. Conversations without a status are deleted; others get their
 * previous last status. If the removed status was the last one, they become read if their owner wrote the new last one.
 */
const removeFromConversations = async (tx: Tx, status: string, kept: readonly string[]): Promise<Changed[]> => {
  const left = await tx.rows<{ conversation_id: string }>(sql`delete from conversation_statuses
    where status_id = ${status} and not (conversation_id = any(${kept}::bigint[])) returning conversation_id`)
  if (left.length === 0) return []
  const ids = left.map((row) => row.conversation_id)
  await tx.run(sql`delete from conversations c where id = any(${ids}::bigint[])
    and not exists (select 1 from conversation_statuses s where s.conversation_id = c.id)`)
  return tx.rows(sql`update conversations c set last_status_id = last.status_id,
      unread = c.unread and (c.last_status_id <> ${status}::bigint or r.author_id is distinct from c.account_id)
    from unnest(${ids}::bigint[]) as wanted(id)
    cross join lateral (select s.status_id from conversation_statuses s where s.conversation_id = wanted.id
      order by s.status_id desc limit 1) last
    left join statuses r on r.id = last.status_id
    where c.id = wanted.id returning c.id, c.account_id`)
}

/**
 * Assigns a status to the conversations in `wanted` and removes it from all others. Returns the changed conversations.
 * Repeatable.
 */
export const assignStatus = async (
  tx: Tx,
  status: { id: string; thread: string },
  wanted: readonly Wanted[],
): Promise<Changed[]> => {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
    as w(id bigint, owner bigint, participants bigint[], key text, unread boolean)`
  await tx.run(sql`insert into conversations (id, account_id, thread_id, participants, participants_key,
      last_status_id, unread)
    select w.id, w.owner, ${status.thread}::bigint, w.participants, w.key, ${status.id}::bigint, w.unread from ${rows}
    order by w.owner on conflict (account_id, thread_id, participants_key) do nothing`)
  const assigned = await tx.rows<{ id: string; account_id: string }>(sql`select c.id, c.account_id from conversations c
    join ${rows} on c.account_id = w.owner and c.thread_id = ${status.thread} and c.participants_key = w.key
    order by c.id for update of c`)
  const ids = assigned.map((one) => one.id)
  const added = await tx.rows<{
    conversation_id: string
  }>(sql`insert into conversation_statuses (conversation_id, status_id, account_id)
    select c.id, ${status.id}::bigint, c.account_id from conversations c where c.id = any(${ids}::bigint[])
    order by c.id on conflict do nothing returning conversation_id`)
  const fresh = added.map((one) => one.conversation_id)
  // If the added status is the newest one, the conversation becomes read if its owner wrote that status, else unread.
  // If it is older, the conversation becomes unread, unless its owner wrote that status or replied to it.
  // An older status never marks an unread conversation as read.
  const isAnswered = sql`exists (select 1 from conversation_statuses s join statuses r on r.id = s.status_id
    where s.conversation_id = c.id and s.status_id > ${status.id}::bigint
      and r.author_id = c.account_id and r.in_reply_to_id = ${status.id}::bigint)`
  await tx.run(sql`update conversations c set
      unread = (w.unread and not ${isAnswered}) or (c.unread and c.last_status_id > ${status.id}::bigint),
      last_status_id = greatest(c.last_status_id, ${status.id}::bigint)
    from ${rows} where c.id = any(${fresh}::bigint[]) and c.account_id = w.owner`)
  const changed = await removeFromConversations(tx, status.id, ids)
  return [...assigned.filter((one) => fresh.includes(one.id)), ...changed]
}
