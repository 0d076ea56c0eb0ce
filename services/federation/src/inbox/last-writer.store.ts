/**
 * Last-writer timestamps of objects, per actor, and the activity that changes an object now.
 */
import { createHash } from 'node:crypto'
import { type Database, type Reader, sql } from '@murmuration/db'
import { lastWriters } from '../core/older-table-names.store.js'
import { transition } from './state.rules.js'
import { type Micros, microsOf, type StoredObject } from './state-input.rules.js'
import { micros } from './state-row.store.js'

export interface Change {
  /** Actor id. */
  actor: string
  /** URI of the object, or a prefix with a URI or id, such as `reply URI` or `item ID`. */
  object: string
  /** Holder of the claim: row id of the activity with its time of delivery, so that a redelivery is another holder. */
  holder: string
  /**
   * Time of the actor's signature; null if another server forwarded the activity. A change without a signature time
   * counts as older than any signed one.
   */
  signedAt: Date | null
  /** True if later changes of the object have no effect. An absent `ends` means false. */
  ends?: boolean
}

export type Claim = ReturnType<typeof transition<'claim'>>

/** Lifetime of a claim; longer than the processing of an activity may take. */
const HOLD_MS = 90_000

const keyOf = ({ actor, object }: Pick<Change, 'actor' | 'object'>): Buffer =>
  createHash('sha256').update(`${actor}\n${object}`).digest()

const signed = ({ signedAt }: Pick<Change, 'signedAt'>): Date => signedAt ?? new Date(0)

const until = sql`clock_timestamp() + make_interval(secs => ${HOLD_MS / 1_000})`

interface ObjectRow {
  signed: string
  ended: boolean
  holder: string | null
  held: string | null
  now: string
}

const objectOf = ({ signed, ended, holder, held }: ObjectRow): StoredObject => ({
  signedAt: Number(signed),
  ended,
  holder,
  heldUntil: held === null ? null : Number(held),
})

/** Claims an object for a change, for `HOLD_MS`. A claim whose process died thus ends by itself. */
export const claimObject = async (db: Database, change: Change): Promise<Claim> => {
  const [key, { holder, ends = false }] = [keyOf(change), change]
  const isNew = await db.run(sql`insert into ${lastWriters} (key, actor, signed_at, holder, held_until)
    values (${key}, ${change.actor}, to_timestamp(0), ${holder}, ${until}) on conflict (key) do nothing`)
  if (isNew > 0) return 'claim'
  return db.tx(async (tx) => {
    // A claim that ends much later was stored while the clock of the database was ahead, and counts as ended.
    const row = await tx.row<ObjectRow>(sql`select ${micros(sql`signed_at`)} as signed, ended,
      case when held_until < clock_timestamp() + make_interval(secs => ${(2 * HOLD_MS) / 1_000}) then holder end as holder,
      ${micros(sql`held_until`)} as held, ${micros(sql`clock_timestamp()`)} as now
      from ${lastWriters} where key = ${key} for update`)
    // The row was deleted between the insert and the read: the next try claims the object.
    if (row === null) return 'wait'
    const signedAt: Micros = microsOf(signed(change))
    const input = { stored: objectOf(row), holder, signedAt, ends, now: Number(row.now) }
    const effect = transition('claim', input)
    if (effect === 'claim')
      await tx.run(
        sql`update ${lastWriters} set holder = ${holder}, held_until = ${until}, at = now() where key = ${key}`,
      )
    return effect
  })
}

/**
 * Releases the claim of a change on its object. For a change that `counts` (was not refused), stores the signature time
 * as last-writer timestamp.
 */
export const releaseObject = (db: Reader, change: Change, counts: boolean): Promise<number> =>
  db.run(sql`update ${lastWriters} set holder = null,
      signed_at = case when ${counts} then greatest(signed_at, ${signed(change)}) else signed_at end,
      ended = ended or (${counts} and ${change.ends ?? false})
    where key = ${keyOf(change)} and holder = ${change.holder}`)

/** Stores the signature time of a change for which its object need not be claimed. */
export const recordChange = async (db: Reader, change: Omit<Change, 'holder' | 'ends'>): Promise<void> => {
  await db.run(sql`insert into ${lastWriters} (key, actor, signed_at) values (${keyOf(change)}, ${change.actor}, ${signed(change)})
    on conflict (key) do update set signed_at = greatest(${lastWriters}.signed_at, excluded.signed_at), at = now()`)
}

/** True if the actor sent a change of the object that was signed later. */
export const isOvertaken = async (db: Reader, change: Omit<Change, 'holder' | 'ends'>): Promise<boolean> =>
  (await db.row(sql`select 1 from ${lastWriters} where key = ${keyOf(change)} and signed_at > ${signed(change)}`)) !==
  null

/** Deletes timestamps older than a week, at most `limit` rows. Returns the number of rows. */
export const deleteOldTimestamps = (db: Reader, limit: number): Promise<number> =>
  db.run(sql`delete from ${lastWriters} where key in (
    select key from ${lastWriters} where at < now() - interval '7 days' order by at limit ${limit})`)

/** Deletes timestamps of this actor from before a time, at most `limit` rows. Returns the number of rows. */
export const deleteTimestampsOf = (db: Reader, it: { actor: string; before: Date; limit: number }): Promise<number> =>
  db.run(sql`delete from ${lastWriters} where key in (
    select key from ${lastWriters} where actor = ${it.actor} and at < ${it.before} limit ${it.limit})`)
