/** Stores and reads custom emoji of this server, with the keys of their pictures (table `custom_emojis`). */
import { type Reader, sql, type Tx } from '@murmuration/db'

export interface EmojiRow {
  shortcode: string
  picture_id: string
  category: string | null
  visible_in_picker: boolean
  disabled: boolean
  key: string
  still_key: string | null
}

/** The state of an emoji for the audit log: the fields that staff may change, and the id of its picture. */
export const recordedOf = ({ disabled, visible_in_picker, category, picture_id }: EmojiRow) => ({
  disabled,
  visible_in_picker,
  category,
  picture_id,
})

const MAX_EMOJIS = 20_000

const columns = sql`e.shortcode, e.picture_id, e.category, e.visible_in_picker, e.disabled, p.key, p.still_key`
/** SQL join of emoji of this server with their pictures. Each of these pictures has a file. */
const joined = sql`custom_emojis e join pictures p on p.id = e.picture_id and p.key is not null and p.media_type is not null`

/** Custom emoji that are not disabled, in the order of category and shortcode. */
export const enabledEmojis = (db: Reader): Promise<EmojiRow[]> =>
  db.rows<EmojiRow>(sql`select ${columns} from ${joined} where not e.disabled
    order by e.category nulls first, lower(e.shortcode), e.shortcode limit ${MAX_EMOJIS}`)

/** All custom emoji of this server, also disabled ones, ordered by category and shortcode; at most `MAX_EMOJIS`. */
export const everyEmoji = (db: Reader): Promise<EmojiRow[]> =>
  db.rows<EmojiRow>(sql`select ${columns} from ${joined}
    order by e.category nulls first, lower(e.shortcode), e.shortcode limit ${MAX_EMOJIS}`)

/** A custom emoji with the media type of its picture. */
export const emojiByShortcode = (db: Reader, shortcode: string): Promise<(EmojiRow & { media_type: string }) | null> =>
  db.row(sql`select ${columns}, p.media_type from ${joined} where e.shortcode = ${shortcode}`)

export const lockEmoji = (tx: Tx, shortcode: string): Promise<EmojiRow | null> =>
  tx.row<EmojiRow>(sql`select ${columns} from ${joined} where e.shortcode = ${shortcode} for update of e`)

/**
 * Locks a shortcode until the transaction ends, so that concurrent changes of it wait. The lock also works if no emoji
 * has the shortcode.
 */
export const lockShortcode = async (tx: Tx, shortcode: string): Promise<void> => {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`emoji ${shortcode}`}, 0))`)
}

/** Stores an emoji, or replaces the picture of an existing one. */
export const putEmoji = (
  tx: Tx,
  it: {
    shortcode: string
    pictureId: string
    category: string | null
    /** Visibility in pickers; undefined does not change that of an existing emoji. A new emoji is visible by default. */
    visible?: boolean | undefined
    disabled?: boolean | undefined
    at: Date
  },
): Promise<number> =>
  tx.run(sql`insert into custom_emojis (shortcode, picture_id, category, visible_in_picker, disabled,
      created_at, updated_at)
    values (${it.shortcode}, ${it.pictureId}, ${it.category}, ${it.visible ?? true}, ${it.disabled ?? false}, ${it.at}, ${it.at})
    on conflict (shortcode) do update set picture_id = excluded.picture_id,
      visible_in_picker = coalesce(${it.visible ?? null}::boolean, custom_emojis.visible_in_picker),
      category = coalesce(excluded.category, custom_emojis.category), disabled = excluded.disabled,
      updated_at = excluded.updated_at`)

export const changeEmoji = (tx: Tx, row: EmojiRow, at: Date): Promise<number> =>
  tx.run(sql`update custom_emojis set category = ${row.category}, visible_in_picker = ${row.visible_in_picker},
    disabled = ${row.disabled}, updated_at = ${at} where shortcode = ${row.shortcode}`)

export const removeEmoji = (tx: Tx, shortcode: string): Promise<number> =>
  tx.run(sql`delete from custom_emojis where shortcode = ${shortcode}`)
