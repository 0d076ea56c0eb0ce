/** Reads and writes authenticator apps, one per user. */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface OneTimeCodeRow {
  encrypted_secret: string
  created_at: Date
  confirmed_at: Date | null
}

export const oneTimeCodeOf = (db: Reader, userId: string): Promise<OneTimeCodeRow | null> =>
  db.row(
    sql`select secret_sealed as encrypted_secret, created_at, confirmed_at from one_time_codes where user_id = ${userId}`,
  )

/** Stores an unconfirmed secret, and replaces an unconfirmed one. Returns false if the user has a confirmed secret. */
export const putOneTimeCode = async (tx: Tx, userId: string, encrypted: string, at: Date): Promise<boolean> =>
  (await tx.run(sql`insert into one_time_codes (user_id, secret_sealed, created_at) values (${userId}, ${encrypted}, ${at})
    on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at
      where one_time_codes.confirmed_at is null`)) === 1

/** A time step for which a code was verified with an encrypted secret. */
export interface VerifiedStep {
  encrypted: string
  step: number
}

/** Confirms a secret; false if it was confirmed or replaced meanwhile. */
export const confirmOneTimeCode = async (
  tx: Tx,
  userId: string,
  { encrypted, step }: VerifiedStep,
  at: Date,
): Promise<boolean> =>
  (await tx.run(sql`update one_time_codes set confirmed_at = ${at}, last_step = ${step}
    where user_id = ${userId} and secret_sealed = ${encrypted} and confirmed_at is null`)) === 1

/**
 * Marks a time step as used; false if this step or a later one was used, or if the secret was removed. Of concurrent
 * calls with one time step, only one returns true (D007).
 */
export const takeStep = async (tx: Tx, userId: string, { encrypted, step }: VerifiedStep): Promise<boolean> =>
  (await tx.run(sql`update one_time_codes set last_step = ${step}
    where user_id = ${userId} and secret_sealed = ${encrypted} and confirmed_at is not null
      and last_step < ${step}`)) === 1

/** Deletes a secret that the user has not confirmed. */
export const deleteUnconfirmedCode = async (tx: Tx, userId: string): Promise<void> => {
  await tx.run(sql`delete from one_time_codes where user_id = ${userId} and confirmed_at is null`)
}

export const deleteOneTimeCode = (tx: Tx, userId: string): Promise<number> =>
  tx.run(sql`delete from one_time_codes where user_id = ${userId}`)
