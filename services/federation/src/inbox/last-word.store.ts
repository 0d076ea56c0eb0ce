/** What actors said last of a thing, and whether that is being worked on. */
import { createHash } from 'node:crypto'
import { type Reader, sql } from '@murmuration/db'

export interface Word {
  /** Actor id. */
  actor: string
  /** What it is about: an address, or a name that says what kind of thing it is. */
  thing: string
  /** The activity as it was kept: one that is said again while the first is worked on waits like any other. */
  holder: string
  /** When its actor signed it; null when somebody passed it on, which counts as older than all else. */
  signedAt: Date | null
  /** Nothing is said of the thing afterwards. False when absent. */
  ends?: boolean
}

/** Longer than the work on an activity may take. */
const HOLD_MS = 90_000

const keyOf = ({ actor, thing }: Pick<Word, 'actor' | 'thing'>): Buffer =>
  createHash('sha256').update(`${actor}\n${thing}`).digest()

const signed = ({ signedAt }: Pick<Word, 'signedAt'>): Date => signedAt ?? new Date(0)

/**
 * Takes the turn to work on what was said. `over` when the actor ended it, or said something of it that was signed later;
 * `taken` while another activity about it is worked on. Of a holder that died others wait a minute and a half.
 */
export const takeTurn = async (db: Reader, word: Word): Promise<'mine' | 'over' | 'taken'> => {
  const [key, at, ends] = [keyOf(word), signed(word), word.ends ?? false]
  const until = sql`clock_timestamp() + make_interval(secs => ${HOLD_MS / 1_000})`
  const mine = await db.run(sql`insert into last_words (key, actor, signed_at, holder, held_until)
    values (${key}, ${word.actor}, to_timestamp(0), ${word.holder}, ${until})
    on conflict (key) do update set holder = excluded.holder, held_until = excluded.held_until, at = now()
    where (${ends} or (last_words.signed_at <= ${at} and not last_words.ended))
      and (last_words.holder is null or last_words.holder = excluded.holder or last_words.held_until < clock_timestamp())`)
  if (mine > 0) return 'mine'
  const row = await db.row<{ over: boolean }>(sql`select not ${ends} and (ended or signed_at > ${at}) as over
    from last_words where key = ${key}`)
  return row?.over ? 'over' : 'taken'
}

/** Gives the turn back. What was said counts from then on, unless it was refused. */
export const giveTurn = (db: Reader, word: Word, counts: boolean): Promise<number> =>
  db.run(sql`update last_words set holder = null,
      signed_at = case when ${counts} then greatest(signed_at, ${signed(word)}) else signed_at end,
      ended = ended or (${counts} and ${word.ends ?? false})
    where key = ${keyOf(word)} and holder = ${word.holder}`)

/** Remembers when something was said that needs no turn. */
export const noteWord = async (db: Reader, word: Omit<Word, 'holder' | 'ends'>): Promise<void> => {
  await db.run(sql`insert into last_words (key, actor, signed_at) values (${keyOf(word)}, ${word.actor}, ${signed(word)})
    on conflict (key) do update set signed_at = greatest(last_words.signed_at, excluded.signed_at), at = now()`)
}

/** Whether the actor said something of it that was signed later. */
export const isOvertaken = async (db: Reader, word: Omit<Word, 'holder' | 'ends'>): Promise<boolean> =>
  (await db.row(sql`select 1 from last_words where key = ${keyOf(word)} and signed_at > ${signed(word)}`)) !== null

/** Deletes what is older than deliveries are repeated, at most `most` rows. Returns how many. */
export const forgetWords = (db: Reader, most: number): Promise<number> =>
  db.run(sql`delete from last_words where key in (
    select key from last_words where at < now() - interval '7 days' order by at limit ${most})`)

/** Forgets what this actor said before, at most `most` rows. Returns how many. */
export const forgetWordsOf = (db: Reader, it: { actor: string; before: Date; most: number }): Promise<number> =>
  db.run(sql`delete from last_words where key in (
    select key from last_words where actor = ${it.actor} and at < ${it.before} limit ${it.most})`)
