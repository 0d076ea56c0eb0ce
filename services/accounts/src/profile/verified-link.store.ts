/** Reads and stores profile fields with their verification. */
import { sql, type Tx } from '@murmuration/db'
import type { StoredField } from '../core/account/store.js'

export interface ProfileFields {
  local: boolean
  /** Profile fields as the user typed them. Empty for remote accounts. */
  fields: StoredField[]
  /** Profile fields as HTML, in the same order as the typed fields. */
  fields_html: StoredField[]
}

/** The profile fields of an account. The account row is locked until the transaction ends. */
export const lockFields = (tx: Tx, id: string): Promise<ProfileFields | null> =>
  tx.row(sql`select domain is null as local, fields, fields_html from accounts where id = ${id} for update`)

export const putFields = (tx: Tx, id: string, it: Pick<ProfileFields, 'fields' | 'fields_html'>): Promise<number> =>
  tx.run(sql`update accounts set fields = ${JSON.stringify(it.fields)}, fields_html = ${JSON.stringify(it.fields_html)}
    where id = ${id}`)
