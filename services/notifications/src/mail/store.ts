/** Reads and writes e-mails, one per subject, and notifications that wait for an e-mail. */
import { olderNames } from '@murmuration/contracts/kit'
import { type Database, name, type Reader, sql, type Tx } from '@murmuration/db'

/** Column with the values of an e-mail. */
const valuesColumn = name(olderNames.mailValues)

export interface MailRow {
  id: string
  kind: 'letter' | 'strike' | 'archive' | 'news' | 'trends' | 'terms' | 'unpublished' | 'appeal' | 'appeal-decided'
  recipient_id: string
  values: Record<string, unknown>
  created_at: Date
  sent_at: Date | null
}

/** Inserts e-mails. Returns the ids of new e-mails. An e-mail whose subject already has one is not stored. */
export const insertMails = async (
  tx: Tx,
  mails: readonly (Omit<MailRow, 'sent_at'> & { source: string })[],
): Promise<string[]> => {
  const of = <K extends keyof (typeof mails)[number]>(key: K) => mails.map((mail) => mail[key])
  const rows = await tx.rows<{
    id: string
  }>(sql`insert into mails (id, source, kind, recipient_id, ${valuesColumn}, created_at)
    select * from unnest(${of('id')}::bigint[], ${of('source')}::text[], ${of('kind')}::text[],
      ${of('recipient_id')}::bigint[], ${mails.map((mail) => JSON.stringify(mail.values))}::jsonb[],
      ${of('created_at')}::timestamptz[])
    order by 2 on conflict (source) do nothing returning id`)
  return rows.map((row) => row.id)
}

export const mailById = (db: Reader, id: string): Promise<MailRow | null> =>
  db.row(sql`select id, kind, recipient_id, ${valuesColumn} as values, created_at, sent_at from mails where id = ${id}`)

export const recordSent = async (db: Reader, id: string, at: Date): Promise<void> => {
  await db.run(sql`update mails set sent_at = ${at} where id = ${id}`)
}

/**
 * Deletes e-mails that were created before `before` and sent, and all that were created before `unsentBefore`. At most
 * 1,000. Returns the number of deleted e-mails.
 */
export const deleteOldMails = async (
  db: Database,
  { before, unsentBefore }: { before: Date; unsentBefore: Date },
): Promise<number> => {
  const old = sql`from mails where created_at < ${before} and (sent_at is not null or created_at < ${unsentBefore})`
  if (!(await db.exists(sql`select 1 ${old}`))) return 0
  return db.run(sql`delete from mails where id in (select id ${old} limit 1000)`)
}

/** Inserts a notification that waits for an e-mail. */
export const insertWaitingNotification = async (
  tx: Tx,
  news: { notification: string; recipient: string; dueAt: Date },
): Promise<void> => {
  await tx.run(sql`insert into mail_news (notification_id, recipient_id, due_at)
    values (${news.notification}, ${news.recipient}, ${news.dueAt}) on conflict do nothing`)
}

export interface DueNotifications {
  recipient_id: string
  ids: string[]
}

/** True if at least one waiting notification is due for an e-mail. */
export const isMailDue = (db: Database, now: Date): Promise<boolean> =>
  db.exists(sql`select 1 from mail_news where due_at <= ${now}`)

/**
 * Removes the waiting notifications of at most `limit` accounts for which an e-mail is due. Returns the newest 20 of
 * each account. Notifications that are not due and were created after `fresh` keep waiting, because the account may
 * still read them.
 */
export const takeDueNotifications = (tx: Tx, now: Date, fresh: Date, limit: number): Promise<DueNotifications[]> =>
  tx.rows(sql`with due as (
      select distinct recipient_id from mail_news where due_at <= ${now} limit ${limit}),
    taken as (
      delete from mail_news where notification_id in (
        select notification_id from mail_news n where recipient_id in (select recipient_id from due) and (due_at <= ${now}
          or not exists (select 1 from notifications o where o.id = n.notification_id and o.created_at > ${fresh}))
        for update skip locked)
      returning notification_id, recipient_id)
    select recipient_id, (array_agg(notification_id::text order by notification_id desc))[1:20] as ids
    from taken group by recipient_id order by recipient_id`)

/** Deletes the e-mails and waiting notifications of a deleted account, except e-mails about its login. */
export const removeMailsOf = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`delete from mails where recipient_id = ${account} and kind <> 'letter'`)
  await tx.run(sql`delete from mail_news where recipient_id = ${account}`)
  await tx.run(sql`delete from mail_choices where account_id = ${account}`)
}
