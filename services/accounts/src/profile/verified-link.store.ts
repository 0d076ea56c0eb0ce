/** Proofs of profile fields, as rows keep them. */
import { sql, type Tx } from '@murmuration/db'
import type { StoredField } from '../core/account.store.js'

export interface ProfileFields {
  local: boolean
  /** As typed; empty for remote people. */
  fields: StoredField[]
  /** As shown, field by field. */
  fields_html: StoredField[]
}

/** The fields of an account, held until the transaction ends. */
export const lockFields = (tx: Tx, id: string): Promise<ProfileFields | null> =>
  tx.row(sql`select domain is null as local, fields, fields_html from accounts where id = ${id} for update`)

export const putFields = (tx: Tx, id: string, it: Pick<ProfileFields, 'fields' | 'fields_html'>): Promise<number> =>
  tx.run(sql`update accounts set fields = ${JSON.stringify(it.fields)}, fields_html = ${JSON.stringify(it.fields_html)}
    where id = ${id}`)
