/** Reads and writes collections. */
import { bigints, type Reader, sql, type Tx, texts } from '@murmuration/db'
import type { CollectionText } from './rules.js'

export interface CollectionRow extends CollectionText {
  id: string
  account_id: string
  /** Actor id of the owner of the collection. */
  owner_uri: string
  local: boolean
  owner_suspended: boolean
  uri: string | null
  url: string | null
  sensitive: boolean
  discoverable: boolean
  created_at: Date
  updated_at: Date
  /** Time of the last fetch of a remote collection; null for local collections. */
  read_at: Date | null
}

const columns = sql`c.id, c.account_id, owner.uri as owner_uri, owner.domain is null as local,
  owner.suspended_at is not null as owner_suspended, c.uri, c.url, c.name, c.description, c.language, c.sensitive,
  c.discoverable, c.tag, c.created_at, c.updated_at, c.read_at`

const tables = sql`collections c join accounts owner on owner.id = c.account_id`

/** Collections by id, in the order of their ids. Unknown ids are left out. */
export const collectionsByIds = (db: Reader, ids: readonly string[]): Promise<CollectionRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.rows(sql`select ${columns} from ${tables} where c.id = any(${bigints(ids)}) order by c.id`)

/** Stored remote collections by their addresses. */
export const collectionsByUris = (db: Reader, uris: readonly string[]): Promise<CollectionRow[]> =>
  uris.length === 0
    ? Promise.resolve([])
    : db.rows(sql`select ${columns} from ${tables} where c.uri = any(${texts(uris)}) order by c.id`)

export const collectionById = async (db: Reader, id: string): Promise<CollectionRow | null> =>
  (await collectionsByIds(db, [id]))[0] ?? null

interface Slice {
  limit: number
  offset: number
}

/** Collections of an owner, newest first. Without `all`, only discoverable collections are returned. */
export const collectionsKeptBy = (db: Reader, owner: string, all: boolean, slice: Slice): Promise<CollectionRow[]> =>
  db.rows(sql`select ${columns} from ${tables}
    where c.account_id = ${owner} and (${all} or c.discoverable)
    order by c.id desc limit ${slice.limit} offset ${slice.offset}`)

/** Collections of other owners that contain or have requested an account, newest first. */
export const collectionsContaining = (db: Reader, account: string, slice: Slice): Promise<CollectionRow[]> =>
  db.rows(sql`select ${columns} from collection_items i join ${tables} on c.id = i.collection_id
    where i.account_id = ${account} and i.state in ('pending', 'accepted') and c.account_id <> ${account}
      and owner.suspended_at is null
    order by i.collection_id desc limit ${slice.limit} offset ${slice.offset}`)

/** Number of collections that an account owns, and the limit of its role. */
export const countOwnedCollections = (db: Reader, owner: string): Promise<{ kept: number; max: number } | null> =>
  db.row(sql`select (select count(*)::int from collections where account_id = ${owner}) as kept,
      coalesce(r.collection_limit, everyone.collection_limit) as max
    from users u left join roles r on r.id = u.role_id
    cross join (select collection_limit from roles where id = -99) everyone
    where u.account_id = ${owner}`)

type Shown = Pick<CollectionRow, 'sensitive' | 'discoverable'> & CollectionText

export const insertCollection = async (
  tx: Tx,
  row: Shown & { id: string; account_id: string },
  at: Date,
): Promise<void> => {
  await tx.run(sql`insert into collections
      (id, account_id, name, description, language, sensitive, discoverable, tag, created_at, updated_at)
    values (${row.id}, ${row.account_id}, ${row.name}, ${row.description}, ${row.language}, ${row.sensitive},
      ${row.discoverable}, ${row.tag}, ${at}, ${at})`)
}

export const updateCollection = async (tx: Tx, id: string, row: Shown, at: Date): Promise<void> => {
  await tx.run(sql`update collections set name = ${row.name}, description = ${row.description},
      language = ${row.language}, sensitive = ${row.sensitive}, discoverable = ${row.discoverable}, tag = ${row.tag},
      updated_at = ${at}
    where id = ${id}`)
}

export const deleteCollection = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from collections where id = ${id}`)
