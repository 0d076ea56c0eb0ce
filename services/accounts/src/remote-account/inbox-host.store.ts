/**
 * Reads the hosts on which accounts have their inboxes, by the domain of their handles or the host of their actor ids.
 */
import { type Reader, type Sql, sql } from '@murmuration/db'

/** Maximum number of accounts that are read for one domain or host. Accounts of one server mostly have the same inbox host. */
const MAX_READ = 1_000
const MAX_LISTED = 10

export interface InboxHost {
  /** Host of an inbox, with its port. */
  host: string
  /** Domain in the handles of the accounts with this inbox host. */
  domain: string
  why: 'handle' | 'actor'
}

/**
 * Hosts of the inboxes of accounts whose handles have the domain `name`, and of accounts whose actor ids have the host
 * `name`. For each account, the shared inbox counts, or its own inbox if it has no shared one.
 */
export const inboxHostsOf = (db: Reader, name: string): Promise<InboxHost[]> => {
  const inboxes = (
    where: Sql,
  ) => sql`select split_part(coalesce(a.shared_inbox_url, a.inbox_url), '/', 3) as host, a.domain
    from accounts a where ${where} limit ${MAX_READ}`
  const distinct = (why: InboxHost['why'], where: Sql) => sql`(select host, min(domain) as domain, ${why}::text as why
    from (${inboxes(where)}) found where host <> '' group by host ${why === 'actor' ? sql`, domain` : sql``}
    order by count(*) desc limit ${MAX_LISTED})`
  return db.rows(sql`${distinct('handle', sql`a.domain is not null and reverse(a.domain) = reverse(${name}::text)`)}
    union all ${distinct(
      'actor',
      sql`a.domain is not null and split_part(a.uri, '/', 3) <> a.domain
        and reverse(split_part(a.uri, '/', 3)) = reverse(${name}::text)`,
    )}`)
}
