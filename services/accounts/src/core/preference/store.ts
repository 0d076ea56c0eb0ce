/** Reads and changes preferences for posting and reading. */
import { bigints, type Reader, sql, type Tx } from '@murmuration/db'

export interface PreferenceRow {
  account_id: string
  /**
   * Whether the account is locked, and the language of the user. Defaults of unset preferences depend on `locked` and
   * `locale`.
   */
  locked: boolean
  locale: string
  default_privacy: 'public' | 'unlisted' | 'private' | 'direct' | null
  default_sensitive: boolean
  default_language: string | null
  default_quote_policy: 'public' | 'followers' | 'nobody'
  show_application: boolean
  aggregate_reblogs: boolean
  expand_media: 'default' | 'show_all' | 'hide_all'
  expand_spoilers: boolean
  autoplay_gifs: boolean
  chosen_languages: string[] | null
  /** Time zone that the user chose, else the one of the sign-up; null if it is unknown. */
  time_zone: string | null
}

/** SQL columns of preferences `p`, with columns of the account `a`, the user `u` and the sign-up `s`. */
const preferenceColumns = sql`p.account_id, a.locked, u.locale, p.default_privacy, p.default_sensitive,
  p.default_language, p.default_quote_policy, p.show_application, p.aggregate_reblogs, p.expand_media,
  p.expand_spoilers, p.autoplay_gifs, p.chosen_languages, coalesce(p.time_zone, s.time_zone) as time_zone`

export const preferencesOf = (db: Reader, accountId: string): Promise<PreferenceRow | null> =>
  db.row(sql`select ${preferenceColumns}
    from preferences p join accounts a on a.id = p.account_id join users u on u.account_id = p.account_id
    left join sign_ups s on s.user_id = u.id
    where p.account_id = ${accountId}`)

/** Changes of the defaults for new statuses. Undefined fields stay; null resets a field. */
export interface PostingChange {
  privacy?: string | null | undefined
  sensitive?: boolean | undefined
  language?: string | null | undefined
  quotePolicy?: string | undefined
}

export const updatePosting = async (tx: Tx, accountId: string, change: PostingChange): Promise<void> => {
  const privacy = change.privacy === undefined ? sql`default_privacy` : sql`${change.privacy}::text`
  const language = change.language === undefined ? sql`default_language` : sql`${change.language}::text`
  await tx.run(sql`update preferences set
      default_privacy = ${privacy},
      default_sensitive = coalesce(${change.sensitive ?? null}, default_sensitive),
      default_quote_policy = coalesce(${change.quotePolicy ?? null}, default_quote_policy),
      default_language = ${language}
    where account_id = ${accountId}`)
}

/**
 * Changes of how statuses are shown to the user, and whether the user's application is public. Undefined fields stay.
 */
export interface ReadingChange {
  showApplication?: boolean | undefined
  aggregateReblogs?: boolean | undefined
  expandMedia?: string | undefined
  expandSpoilers?: boolean | undefined
  autoplayGifs?: boolean | undefined
  /** Languages in which the user reads statuses; null means all languages. */
  chosenLanguages?: readonly string[] | null | undefined
  /** Time zone in which days of searches are read; null resets it to the one of the sign-up. */
  timeZone?: string | null | undefined
}

export const updateReading = async (tx: Tx, accountId: string, change: ReadingChange): Promise<void> => {
  const { chosenLanguages: chosen } = change
  const timeZone = change.timeZone === undefined ? sql`time_zone` : sql`${change.timeZone}::text`
  const languages = chosen === undefined ? sql`chosen_languages` : sql`${chosen}::text[]`
  await tx.run(sql`update preferences set
      show_application = coalesce(${change.showApplication ?? null}, show_application),
      aggregate_reblogs = coalesce(${change.aggregateReblogs ?? null}, aggregate_reblogs),
      expand_media = coalesce(${change.expandMedia ?? null}, expand_media),
      expand_spoilers = coalesce(${change.expandSpoilers ?? null}, expand_spoilers),
      autoplay_gifs = coalesce(${change.autoplayGifs ?? null}, autoplay_gifs),
      chosen_languages = ${languages},
      time_zone = ${timeZone}
    where account_id = ${accountId}`)
}

/** Chosen languages by account id. Accounts that read all languages are absent. */
export const languagesOf = async (db: Reader, ids: readonly string[]): Promise<Map<string, string[]>> => {
  const rows = await db.rows<{ account_id: string; chosen_languages: string[] }>(sql`select account_id, chosen_languages
    from preferences where account_id = any(${bigints(ids)}) and chosen_languages is not null`)
  return new Map(rows.map((row) => [row.account_id, row.chosen_languages]))
}
