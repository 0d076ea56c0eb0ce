/** Reads and stores registered applications. */
import { type Reader, sql } from '@murmuration/db'

export interface ApplicationRow {
  id: string
  client_id: string
  secret_hash: Buffer
  name: string
  website: string | null
  redirect_uris: string[]
  scopes: string[]
  trusted: boolean
}

const columns = sql`id, client_id, secret_hash, name, website, redirect_uris, scopes, trusted`

export const applicationById = (db: Reader, id: string): Promise<ApplicationRow | null> =>
  db.row(sql`select ${columns} from applications where id = ${id}`)

export const applicationByClientId = (db: Reader, clientId: string): Promise<ApplicationRow | null> =>
  db.row(sql`select ${columns} from applications where client_id = ${clientId}`)

/** Stores an application. An existing application with the same client id stays unchanged. */
export const insertApplication = async (
  tx: Reader,
  app: Omit<ApplicationRow, 'trusted'> & { createdAt: Date },
): Promise<void> => {
  await tx.run(sql`insert into applications (id, client_id, secret_hash, name, website, redirect_uris, scopes, created_at)
    values (${app.id}, ${app.client_id}, ${app.secret_hash}, ${app.name}, ${app.website}, ${app.redirect_uris},
      ${app.scopes}, ${app.createdAt})
    on conflict (client_id) do nothing`)
}
