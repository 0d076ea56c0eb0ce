/** Reads and writes sign-in steps. Steps are found by digest, used once, and expire after minutes. */
import { type Reader, sql } from '@murmuration/db'

/**
 * `factor`: a second factor is required. `key`: a passkey is being added. `provider`: the browser is at the provider.
 * `identity`: the browser returned with an unknown identity.
 */
export type StepKind = 'factor' | 'key' | 'provider' | 'identity'

export interface StepRow {
  hash: Buffer
  kind: StepKind
  user_id: string | null
  encrypted_data: string
  challenge: string | null
}

const columns = sql`hash, kind, user_id, data_sealed as encrypted_data, challenge`

export const insertStep = async (tx: Reader, step: StepRow & { createdAt: Date; expiresAt: Date }): Promise<void> => {
  await tx.run(sql`insert into sign_in_steps (hash, kind, user_id, data_sealed, challenge, created_at, expires_at)
    values (${step.hash}, ${step.kind}, ${step.user_id}, ${step.encrypted_data}, ${step.challenge}, ${step.createdAt},
      ${step.expiresAt})`)
}

export const stepByDigest = (db: Reader, hash: Buffer, kind: StepKind, at: Date): Promise<StepRow | null> =>
  db.row(sql`select ${columns} from sign_in_steps
    where hash = ${hash} and kind = ${kind} and expires_at > ${at}`)

/** Deletes a step and returns it; null if it is unknown or expired. Of concurrent calls with one step, only one returns it. */
export const takeStepByDigest = (tx: Reader, hash: Buffer, kind: StepKind, at: Date): Promise<StepRow | null> =>
  tx.row(sql`delete from sign_in_steps where hash = ${hash} and kind = ${kind} and expires_at > ${at}
    returning ${columns}`)

/** Counts a response before it is verified, and returns the step. Null after `limit` responses, or if the step expired. */
export const tryStep = (db: Reader, hash: Buffer, kind: StepKind, limit: number, at: Date): Promise<StepRow | null> =>
  db.row(sql`update sign_in_steps set tries = tries + 1
    where hash = ${hash} and kind = ${kind} and expires_at > ${at} and tries < ${limit}
    returning ${columns}`)

export const setChallenge = async (db: Reader, hash: Buffer, challenge: string): Promise<void> => {
  await db.run(sql`update sign_in_steps set challenge = ${challenge} where hash = ${hash}`)
}

/** Deletes the challenge of a step; false if it was used. A challenge accepts one response, valid or not (A083). */
export const takeChallenge = async (db: Reader, hash: Buffer, challenge: string): Promise<boolean> =>
  (await db.run(sql`update sign_in_steps set challenge = null where hash = ${hash} and challenge = ${challenge}`)) === 1

/** Deletes all sign-in steps of users. */
export const deleteStepsOf = async (tx: Reader, userIds: readonly string[]): Promise<void> => {
  await tx.run(sql`delete from sign_in_steps where user_id = any(${userIds}::bigint[])`)
}

/** Deletes sign-in steps that expired before the time `before`, at most `limit`. */
export const deleteOldSteps = (db: Reader, before: Date, limit: number): Promise<number> =>
  db.run(sql`delete from sign_in_steps where hash in
    (select hash from sign_in_steps where expires_at < ${before} limit ${limit})`)
