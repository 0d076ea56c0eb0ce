/** Reads and changes the mark of accounts of deceased persons. */
import { type Reader, sql, type Tx } from '@murmuration/db'

/** Marks an account as one of a deceased person, or removes the mark. Returns false if the account has this state already. */
export const setMemorial = async (tx: Tx, id: string, memorial: boolean): Promise<boolean> =>
  (await tx.run(sql`update accounts set memorial = ${memorial}
    where id = ${id} and memorial <> ${memorial}`)) > 0

export const isMemorial = async (db: Reader, id: string): Promise<boolean> =>
  (await db.row<{ memorial: boolean }>(sql`select memorial from accounts where id = ${id}`))?.memorial ?? false
