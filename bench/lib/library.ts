/** Very many statuses with words, written straight into the tables of statuses. */
import { within } from './tables.js'

/** Different words there are; the first ones are the most frequent. */
const VOCABULARY = 20_000
const WORDS_OF_STATUS = 12
/** Words that are searched for: each stands in about one of 700 statuses. */
const ASKED = 100
const FIRST_ASKED = 1_000
const PIECE = 100_000
/** What a server holds after its first days; the plans of queries are made for tables like these, not for empty ones. */
export const USUAL = 20_000

/** The word of a search, another one each time. */
export const wordOf = (i: number): string => `w${FIRST_ASKED + (i % ASKED)}`

/** Adds public statuses of these authors, one for each second of the past, and their words to the index. */
export const addLibrary = (databaseUrl: string, authors: readonly string[], count: number): Promise<void> =>
  within(databaseUrl, 'statuses', async (client) => {
    await client.query(
      `insert into author_flags (account_id, local, silenced, suspended, sensitized, discoverable, indexable)
       select id, true, false, false, false, true, true from unnest($1::bigint[]) id
       on conflict (account_id) do update set indexable = true, discoverable = true`,
      [authors],
    )
    // The index of words is built in one go, as after an import.
    await client.query('drop index status_search_words')
    const word = `'w' || floor(${VOCABULARY} * power(random(), 3))::int`
    const text = Array.from({ length: WORDS_OF_STATUS }, () => word).join(` || ' ' || `)
    for (let at = 0; at < count; at += PIECE)
      await client.query(
        `with made as materialized (
           select (extract(epoch from now())::bigint - n) * 1000 * 65536 + n % 65536 as id, ${text} as words,
             ($1::bigint[])[1 + n % cardinality($1::bigint[])] as author, now() - make_interval(secs => n) as at
           from generate_series($2::int + 1, $3::int) n
         ), indexed as (
           insert into status_search (status_id, author_id, visibility, words)
           select id, author, 0, to_tsvector('simple', words) from made
         )
         insert into statuses (id, author_id, local, visibility, uri, conversation_id, text, html, language, listed, created_at)
         select id, author, true, 0, 'https://bench.example/ap/statuses/' || id, id, words, '<p>' || words || '</p>', 'en', true, at
         from made`,
        [authors, at, Math.min(at + PIECE, count)],
      )
    await client.query('create index status_search_words on status_search using gin (words)')
    await client.query('analyze')
  })
