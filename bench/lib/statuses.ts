/** Inserts many statuses with random words directly into the tables of the service statuses. */
import { withSchema } from './tables.js'

/** Number of different words. Words with low numbers are the most frequent. */
const VOCABULARY = 20_000
const WORDS_OF_STATUS = 12
/** Number of words that searches use. Each occurs in about one of 700 statuses. */
const SEARCHED = 100
const FIRST_SEARCHED = 1_000
const CHUNK = 100_000
/** Number of statuses of a server after its first days. With empty tables, PostgreSQL would choose other query plans. */
export const USUAL_STATUSES = 20_000

/** Word of search number `i`; a different one for each of 100 searches in a row. */
export const wordOf = (i: number): string => `w${FIRST_SEARCHED + (i % SEARCHED)}`

/** Adds `count` public statuses of these authors, created one second apart, and adds their words to the index. */
export const addStatuses = (databaseUrl: string, authors: readonly string[], count: number): Promise<void> =>
  withSchema(databaseUrl, 'statuses', async (client) => {
    await client.query(
      `insert into author_flags (account_id, local, silenced, suspended, sensitized, discoverable, indexable)
       select id, true, false, false, false, true, true from unnest($1::bigint[]) id
       on conflict (account_id) do update set indexable = true, discoverable = true`,
      [authors],
    )
    // Building the index once is faster than adding each row to it.
    await client.query('drop index status_search_words')
    const word = `'w' || floor(${VOCABULARY} * power(random(), 3))::int`
    const text = Array.from({ length: WORDS_OF_STATUS }, () => word).join(` || ' ' || `)
    for (let at = 0; at < count; at += CHUNK)
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
        [authors, at, Math.min(at + CHUNK, count)],
      )
    await client.query('create index status_search_words on status_search using gin (words)')
    await client.query('analyze')
  })
