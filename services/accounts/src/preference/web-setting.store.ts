/** Stores web client settings. */
import { type Reader, sql } from '@murmuration/db'

/** Stores the settings of the web client for an account, and replaces existing ones. `data`: JSON text. */
export const putWebSetting = (db: Reader, account: string, data: string, at: Date): Promise<number> =>
  db.run(sql`insert into web_settings (account_id, data, updated_at) values (${account}, ${data}::jsonb, ${at})
    on conflict (account_id) do update set data = excluded.data, updated_at = excluded.updated_at`)
