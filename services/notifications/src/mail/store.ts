/** Mails on their way, each about one thing, and notifications that wait to be written about. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface MailRow {
  id: string
  kind: 'letter' | 'strike' | 'archive' | 'news' | 'trends' | 'terms' | 'unpublished' | 'appeal' | 'appeal-decided'
  recipient_id: string
  facts: Record<string, unknown>
  created_at: Date
  sent_at: Date | null
}

/** Stores mails; gives the ids of those about something that no mail was about before. */
export const insertMails = async (
  tx: Tx,
  mails: readonly (Omit<MailRow, 'sent_at'> & { source: string })[],
): Promise<string[]> => {
  const of = <K extends keyof (typeof mails)[number]>(key: K) => mails.map((mail) => mail[key])
  const rows = await tx.rows<{ id: string }>(sql`insert into mails (id, source, kind, recipient_id, facts, created_at)
    select * from unnest(${of('id')}::bigint[], ${of('source')}::text[], ${of('kind')}::text[],
      ${of('recipient_id')}::bigint[], ${mails.map((mail) => JSON.stringify(mail.facts))}::jsonb[],
      ${of('created_at')}::timestamptz[])
    on conflict (source) do nothing returning id`)
  return rows.map((row) => row.id)
}

export const mailById = (db: Reader, id: string): Promise<MailRow | null> =>
  db.row(sql`select id, kind, recipient_id, facts, created_at, sent_at from mails where id = ${id}`)

export const noteSent = async (db: Reader, id: string, at: Date): Promise<void> => {
  await db.run(sql`update mails set sent_at = ${at} where id = ${id}`)
}

/** Deletes mails from before this time, at most 1,000. */
export const deleteOldMails = (db: Reader, before: Date): Promise<number> =>
  db.run(sql`delete from mails where id in (select id from mails where created_at < ${before} limit 1000)`)

/** A notification waits to be written about. */
export const insertNews = async (
  tx: Tx,
  news: { notification: string; recipient: string; dueAt: Date },
): Promise<void> => {
  await tx.run(sql`insert into mail_news (notification_id, recipient_id, due_at)
    values (${news.notification}, ${news.recipient}, ${news.dueAt}) on conflict do nothing`)
}

export interface DueNews {
  recipient_id: string
  ids: string[]
}

/**
 * Takes what waits for people of whom something is due, but not what came after `fresh`: they may see it yet. At most
 * `limit` people, 20 notifications each in a mail.
 */
export const takeDueNews = (tx: Tx, now: Date, fresh: Date, limit: number): Promise<DueNews[]> =>
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

/** Nothing more is written to, or waits for, an account that is gone. */
export const removeMailsOf = async (tx: Tx, account: string): Promise<void> => {
  await tx.run(sql`delete from mails where recipient_id = ${account} and kind <> 'letter'`)
  await tx.run(sql`delete from mail_news where recipient_id = ${account}`)
  await tx.run(sql`delete from mail_choices where account_id = ${account}`)
}
