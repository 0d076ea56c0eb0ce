/** SQL of account exports: bookmarked and favourited statuses. */
import { name, type Reader, sql } from '@murmuration/db'

export const markedUris = (
  db: Reader,
  which: 'bookmarks' | 'favourites',
  account: string,
  page: { after: string; limit: number },
): Promise<{ id: string; uri: string | null }[]> =>
  db.rows(sql`select m.id, s.uri from (select id, status_id from ${name(which)}
      where account_id = ${account} and id > ${page.after} order by id limit ${page.limit}) m
    left join statuses s on s.id = m.status_id and s.deleted_at is null
    order by m.id`)
