/** Every frequent query uses an index, on tables with the size of a small server's. */
import { openDatabase, type Reader, type Sql, sql } from '@murmuration/db'
import { keptPlansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countYear, hasPostedIn, topStatuses, topTags, unreadReports } from '../src/annual-report/store.js'
import { deleteEarly, earlyOf, takeEarlyOf } from '../src/approval/early.store.js'
import { bookmarksOf } from '../src/bookmark/store.js'
import { NO_CLEANUP } from '../src/cleanup/rules.js'
import { oldStatuses, takeDueCleanups } from '../src/cleanup/store.js'
import { conversationPage, deleteConversationsWith, directIds } from '../src/conversation/store.js'
import { reactedByUri, reactionsOfPairs, reactionsOn } from '../src/core/emoji-reaction/store.js'
import { choicesOf, pollsOf, takeEnded } from '../src/core/poll/store.js'
import { previewsOf } from '../src/core/preview-card/store.js'
import { countShares } from '../src/core/preview-card/usage.store.js'
import { authorizationById, authorizationFor } from '../src/core/quote/authorization.store.js'
import {
  localQuotersOf,
  quoteByAuthorization,
  quotesAndNestedQuotes,
  quotesOf,
  quotesPage,
} from '../src/core/quote/store.js'
import { rebloggersOf, reblogOf } from '../src/core/reblog/store.js'
import {
  approvalOf,
  claimApproval,
  linkApprovalsToParent,
  repliesByApproval,
  takeApprovals,
} from '../src/core/reply/approval.store.js'
import { heldBelow } from '../src/core/reply/held.store.js'
import { ancestorsOf, descendantsOf, openReplies, ownReplies } from '../src/core/reply/thread.store.js'
import { alignVisibility } from '../src/core/status/search.store.js'
import { idsByUri, idsByUrl, localAmong, rowsOf } from '../src/core/status/store.js'
import { hasTombstone, takeTombstones } from '../src/core/status/tombstone.store.js'
import { countFeatured, featuredTagsOf, tagsToFeature, uncountFeatured } from '../src/core/tag/featured.store.js'
import { tagMarksOf, tagsById, tagsByName } from '../src/core/tag/store.js'
import { usedDays } from '../src/core/tag/used-day.store.js'
import { currentStateOf, loadStatuses } from '../src/core/viewer/loaded-status.store.js'
import { favouritersOf, favouritesOf } from '../src/favourite/store.js'
import { candidates } from '../src/feed/candidate.store.js'
import { namingAccount } from '../src/feed/naming.store.js'
import { tagCandidates } from '../src/feed/tag-candidate.store.js'
import { keywordOf } from '../src/filter/keyword.store.js'
import { filterSetsOf, filtersOf } from '../src/filter/store.js'
import { flagsOfMany } from '../src/live/store.js'
import { countTry, takeDueHosts, unreachedAt } from '../src/mention/unreached.store.js'
import { claimLink, linkOf } from '../src/preview-card/link.store.js'
import {
  deleteLinks,
  linkTimelineIds,
  oldPreviews,
  takeDuePreviews,
  trendingPreview,
} from '../src/preview-card/store.js'
import { decisionsAbout, publisherPage } from '../src/publisher/store.js'
import { anyFollows, followersOfTags, statusesOnlyByTag, tagFollowsOf } from '../src/tag/follow.store.js'
import { countUses } from '../src/tag/usage.store.js'
import { tagDays, tagPage, tagPlaces, tagTotals } from '../src/tag-review/store.js'
import { accountIds, outboxIds, pinnedIds, publicIds, tagIdsPage } from '../src/timeline/store.js'
import { measuredLinks, measuredStatuses, measuredTags } from '../src/trend/measure.store.js'
import { allowLinksOf, reviewsOf, trendAuthors, trendIds, trendsForReview } from '../src/trend/store.js'
import { edgesBelow, referencedAmong } from '../src/unreferenced-status/store.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
const AUTHORS = 200
const ROWS = 20_000
beforeAll(async () => {
  harness = await startHarness()
  await harness.cluster.db('statuses').tx(async (tx) => {
    await tx.run(sql`select setseed(0.5)`)
    await tx.run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, listed, has_media, created_at,
        reblog_of_id, in_reply_to_id, in_reply_to_account_id, tags)
      select id_floor(now()) + n, 1 + n % ${AUTHORS}::int, n % 5 = 0, n % 4, 'https://far.example/' || n, n, n % 4 = 0, n % 10 = 0, now(),
        case when n % 7 = 0 then id_floor(now()) + n - 1 end, case when n % 3 = 0 then id_floor(now()) + n - 2 end,
        case when n % 3 = 0 then 5 end, '{}'
      from generate_series(1, ${ROWS}::int) as n`)
    await tx.run(sql`insert into post_uris select uri, id from statuses`)
    await tx.run(sql`insert into post_urls select uri, id from statuses`)
    await tx.run(sql`insert into replies select in_reply_to_id, id from statuses where in_reply_to_id is not null`)
    await tx.run(
      sql`insert into mentions (status_id, account_id) select id, 1 + (random() * 999)::int from statuses where id % 2 = 0`,
    )
    await tx.run(sql`insert into reactions (account_id, status_id, uri, name, created_at)
      select 1 + (random() * 999)::int, id, 'https://far.example/likes/' || id, 'a', now() from statuses`)
    await tx.run(
      sql`insert into tags (id, name, display) select n, 'tag' || n, 'tag' || n from generate_series(1, 200) as n`,
    )
    await tx.run(
      sql`insert into status_tags (tag_id, status_id) select 1 + id % 200, id from statuses where visibility = 0`,
    )
    await tx.run(sql`insert into tag_follows (id, account_id, tag_id)
      select n, 1 + n / 200, 1 + n % 200 from generate_series(0, 9999) as n`)
    await tx.run(sql`insert into featured_tags (id, account_id, tag_id, name)
      select n, 1 + n / 10, 1 + n % 200, 'tag' from generate_series(0, 9999) as n`)
    await tx.run(sql`insert into tag_days (day, tag_id, uses, accounts)
      select date '2026-01-01' + n / 200, 1 + n % 200, 1, 1 from generate_series(0, 2799) as n`)
    await tx.run(sql`insert into tag_users (day, tag_id, account_id)
      select date '2026-01-01' + n / 2000, 1 + n % 200, n from generate_series(0, 9999) as n`)
    await tx.run(sql`insert into preview_days (day, preview_id, uses, accounts)
      select date '2026-01-01' + n / 200, 1 + n % 200, 1, 1 from generate_series(0, 2799) as n`)
    await tx.run(sql`insert into preview_users (day, preview_id, account_id)
      select date '2026-01-01' + n / 2000, 1 + n % 200, n from generate_series(0, 9999) as n`)
    await tx.run(sql`insert into trends (kind, id, score, top_score, top_at, language, author_id, allowed)
      select n % 3, n, n % 7, 7, now(), 'en', case when n % 3 = 2 then n % 100 end, n % 2 = 0 from generate_series(1, 1500) as n`)
    await tx.run(sql`insert into status_stats (status_id, replies) select id, 1 from statuses where id % 2 = 0`)
    await tx.run(sql`insert into favourites (id, account_id, status_id) select id, 1 + id % 1000, id from statuses`)
    await tx.run(sql`insert into bookmarks (id, account_id, status_id) select id, 1 + id % 1000, id from statuses`)
    await tx.run(sql`insert into reblogs (account_id, status_id, reblog_id, open)
      select author_id, reblog_of_id, id, true from statuses where reblog_of_id is not null`)
    await tx.run(sql`insert into author_flags (account_id, local, silenced, suspended, sensitized, discoverable, indexable)
      select n, true, n % 50 = 0, false, false, true, true from generate_series(1, 1000) as n`)
    await tx.run(
      sql`insert into pins (id, account_id, status_id) select id, author_id, id from statuses where id % 100 = 0`,
    )
    await tx.run(sql`insert into quotes (status_id, id, author_id, quoted_id, quoted_author_id, state, stamp_uri)
      select id, id, author_id, id - 1, 5, 1, 'https://far.example/stamps/' || id from statuses where id % 2 = 0`)
    await tx.run(sql`insert into reply_approvals (status_id, uri, proved_at, answered_id, host)
      select id, 'https://far.example/approvals/' || id, case when id % 4 = 0 then now() end, id / 10, 'far.example'
      from statuses where id % 2 = 0`)
    await tx.run(sql`insert into held_replies (status_id, visibility, asks)
      select id, 0, id % 4 = 0 from statuses where id % 2 = 0`)
    await tx.run(sql`insert into early_approvals (status_uri, author_id, uri, at)
      select 'https://far.example/' || n, 5, 'https://near.example/' || n, now() - n * interval '1 minute'
      from generate_series(1, 5000) as n`)
    await tx.run(sql`insert into quote_stamps (id, quoted_id, quoted_author_id, quoting_uri, quoting_author_id)
      select id, id, author_id, uri, 5 from statuses where id % 3 = 0`)
    await tx.run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url, provider_name,
        provider_url, html, width, height, embed_url, image_description, fetched_at)
      select n, 'https://far.example/page/' || n, 0, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', '', now()
      from generate_series(1, 5000) as n`)
    await tx.run(sql`insert into tag_places (day, tag_id, domain, language, uses)
      select date '2026-01-01' + n / 2000, 1 + n % 200, 'd' || n || '.example', 'en', 1 from generate_series(0, 27999) as n`)
    await tx.run(sql`insert into publishers (id, domain) select n, n || '.example' from generate_series(1, 5000) as n`)
    await tx.run(sql`insert into links (url, preview_id, next_at)
      select 'https://far.example/page/' || n, n, now() from generate_series(1, 5000) as n`)
    await tx.run(sql`insert into status_previews select 1 + id % 5000, id from statuses`)
    await tx.run(
      sql`insert into preview_waits select n, now() + n * interval '1 second' from generate_series(1, 5000) as n`,
    )
    await tx.run(sql`insert into conversation_mutes select n, n from generate_series(1, 5000) as n`)
    await tx.run(sql`insert into polls (id, status_id, author_id, local, options, votes, multiple, expires_at)
      select n, n, 1, true, '{a,b}', '{0,0}', false, now() + interval '1 day' from generate_series(1, 5000) as n`)
    await tx.run(sql`insert into poll_votes (id, poll_id, account_id, choice)
      select n, 1 + n % 5000, n, 0 from generate_series(1, 10000) as n`)
    await tx.run(sql`insert into unreached_mentions (status_id, uri, host, due_at)
      select n, 'https://away.example/' || n, 'away' || n % 100 || '.example', now() + n * interval '1 second'
      from generate_series(1, 5000) as n`)
    await tx.run(
      sql`insert into tombstones (uri, author_id) select 'https://gone.example/' || n, n from generate_series(1, 5000) as n`,
    )
  })
  const { Client } = (await import('pg')).default
  const owner = new URL(process.env.DATABASE_URL ?? '')
  owner.pathname = new URL(harness.cluster.env.DATABASE_URL ?? '').pathname
  const client = new Client({ connectionString: owner.toString() })
  await client.connect()
  await client.query('analyze')
  await client.end()
})
afterAll(() => harness.stop())

/** The query plan of a store function. Sequential scans are disabled, so that one in the plan means a missing index. */
const planOf = async (work: (db: Reader) => Promise<unknown>): Promise<string> => {
  const asked: Sql[] = []
  const note = async (query: Sql): Promise<never[]> => {
    asked.push(query)
    return []
  }
  const reader: Reader = {
    rows: note,
    row: (query) => note(query).then(() => null),
    run: (query) => note(query).then(() => 0),
  }
  await work(reader)
  const query = asked[0]
  if (!query) throw new Error('nothing was asked')
  const lines = await harness.cluster.db('statuses').tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    return tx.rows<{ 'QUERY PLAN': string }>({ text: `explain ${query.text}`, values: query.values })
  })
  return lines.map((line) => line['QUERY PLAN']).join('\n')
}

const page = { limit: 20 }
const none = {
  onlyMedia: false,
  excludeReplies: false,
  excludeReblogs: false,
  excludeDirect: false,
  tag: null,
  followed: false,
}
const days = { since: '2026-01-02', until: '2026-01-05' }
const trendPage = { allowed: { byDefault: false }, languages: ['en'], without: ['5'], limit: 20, offset: 0 }
const measured = { today: '2026-01-02', yesterday: '2026-01-01', least: 5, limit: 500 }
const all = { local: true, remote: true, onlyMedia: false, languages: null }
const many = Array.from({ length: 20 }, (_, i) => String((BigInt(Date.now()) << 16n) + BigInt(i)))

const year = { from: '0', to: many[0] ?? '' }

const queries: [string, (db: Reader) => Promise<unknown>][] = [
  ['statuses of a page', (db) => loadStatuses(db, '5', many)],
  [
    'what may have changed of two pages',
    (db) => {
      const known = many.map((id) => ({ id, conversation_id: id }))
      return currentStateOf(db, [
        { viewer: '5', known },
        { viewer: '6', known },
      ])
    },
  ],
  ['rows for cards', (db) => rowsOf(db, many)],
  ['a status by uri', (db) => idsByUri(db, ['https://far.example/7'])],
  ['statuses by page address', (db) => idsByUrl(db, ['https://far.example/7', 'https://far.example/8'])],
  ['account statuses', (db) => accountIds(db, '5', '6', none, page)],
  ['account statuses with media', (db) => accountIds(db, '5', null, { ...none, onlyMedia: true }, page)],
  ['account statuses from an id', (db) => accountIds(db, '5', null, none, { limit: 20, max_id: many[0] })],
  ['pinned statuses', (db) => pinnedIds(db, '5', null, none, page)],
  ['outbox', (db) => outboxIds(db, '5', page)],
  ['public timeline', (db) => publicIds(db, all, page)],
  ['local timeline', (db) => publicIds(db, { ...all, remote: false }, page)],
  ['tag timeline', (db) => tagIdsPage(db, { ...all, any: ['7'], all: [], none: [] }, page)],
  ['several tags', (db) => tagIdsPage(db, { ...all, any: ['7', '8'], all: ['9'], none: ['10'] }, page)],
  [
    'feed from rows',
    (db) => candidates(db, '5', ['1', '2', '3'], { maxId: null, sinceId: null, limit: 100, each: 40 }),
  ],
  ['tags by name', (db) => tagsByName(db, ['tag1', 'tag2'])],
  ['what somebody does with tags', (db) => tagMarksOf(db, '5', ['1', '2'])],
  ['followed tags', (db) => tagFollowsOf(db, '5', page)],
  ['whether somebody follows tags', (db) => anyFollows(db, ['tag1', 'tag2'])],
  ['a page of tag followers', (db) => followersOfTags(db, ['tag1', 'tag2'], '7', 1_000)],
  [
    'what came by tags, from rows',
    (db) => tagCandidates(db, '5', { maxId: null, sinceId: null, limit: 100, each: 40 }),
  ],
  ['what a tag brought', (db) => statusesOnlyByTag(db, many, { account: '5', tag: '7' })],
  ['featured tags', (db) => featuredTagsOf(db, '5')],
  ['counting what is featured', (db) => countFeatured(db as never, '5', ['tag1'], new Date())],
  ['counting back what is featured', (db) => uncountFeatured(db as never, [{ author: '5', tag: 'tag1' }])],
  ['tags to feature', (db) => tagsToFeature(db, '5', 10)],
  ['the week of tags', (db) => usedDays(db, 'tag', ['1', '2'], ['2026-01-01', '2026-01-02'])],
  [
    'counting a use',
    (db) => countUses(db as never, [{ day: '2026-01-01', account: '5', language: 'en', names: ['tag1'] }]),
  ],
  ['favourites', (db) => favouritesOf(db, '5', page)],
  ['emoji reactions of a page', (db) => reactionsOn(db, many)],
  [
    'emoji reactions of notifications',
    (db) =>
      reactionsOfPairs(
        db,
        many.map((status) => ({ account: '5', status })),
      ),
  ],
  ['an emoji reaction by its activity', (db) => reactedByUri(db, '5', 'https://far.example/likes/7')],
  ['favourited by', (db) => favouritersOf(db, many[0] ?? '', page)],
  ['bookmarks', (db) => bookmarksOf(db, '5', page)],
  ['reblogged by', (db) => rebloggersOf(db, many[0] ?? '', page)],
  ['the own boost', (db) => reblogOf(db, '5', many[0] ?? '')],
  ['ancestors', (db) => ancestorsOf(db, many[0] ?? '', 40)],
  ['interactions with old statuses', (db) => referencedAmong(db, ['1', '2'])],
  ['replies, boosts and quotes below old statuses', (db) => edgesBelow(db, ['1', '2'], 50)],
  ['descendants', (db) => descendantsOf(db, '5', many[0] ?? '', 60, 20)],
  ['answers for everybody', (db) => openReplies(db, many[0] ?? '', { author: '5', own: false, after: '7', limit: 60 })],
  ['the answers of an author', (db) => ownReplies(db, many)],
  ['who is named in a feed', (db) => namingAccount(db, many, '5')],
  ['flags of listeners', (db) => flagsOfMany(db, { id: many[0] ?? '', conversation: '5' }, ['1', '2', '3'])],
  ['polls of a page', (db) => pollsOf(db, ['1', '2'])],
  ['own votes', (db) => choicesOf(db, '5', ['1', '2'])],
  ['ended polls', (db) => takeEnded(db as never, new Date(), 100)],
  ['whether somebody wrote in a year', (db) => hasPostedIn(db, '5', year)],
  ['counts of a year', (db) => countYear(db, '5', year)],
  ['hashtags of a year', (db) => topTags(db, '5', year)],
  ['the best statuses of a year', (db) => topStatuses(db, '5', year)],
  ['unread annual reports', (db) => unreadReports(db, '5')],
  ['filters of a person', (db) => filtersOf(db, '5')],
  ['filters of listeners', (db) => filterSetsOf(db, ['1', '2', '3'])],
  ['a keyword of a filter', (db) => keywordOf(db, '5', '7')],
  ['conversations', (db) => conversationPage(db, '5', page)],
  ['conversations with somebody', (db) => deleteConversationsWith(db as never, '5', '6')],
  ['direct statuses', (db) => directIds(db, '5', page)],
  ['quotes of a page', (db) => quotesOf(db, many)],
  ['quotes of a page, two deep', (db) => quotesAndNestedQuotes(db, many)],
  ['who quotes a status', (db) => quotesPage(db, many[0] ?? '', page)],
  ['who quotes it here', (db) => localQuotersOf(db, many[0] ?? '', { after: '0', limit: 50 })],
  ['the quote of an approval', (db) => quoteByAuthorization(db, 'https://far.example/stamps/5', '5')],
  ['the approval of an answer', (db) => approvalOf(db, '5')],
  ['approvals of answers proved long ago', (db) => takeApprovals(db as never, many[0] ?? '', new Date())],
  ['the claim of an approval', (db) => claimApproval(db as never, many[0] ?? '', 'https://far.example/approvals/5')],
  ['approvals of answers that were here before', (db) => linkApprovalsToParent(db as never, '5', many)],
  ['answers below one that wait for approval', (db) => heldBelow(db, many, { needsApproval: true, limit: 1_000 })],
  ['whom held answers are found by', (db) => alignVisibility(db as never, many)],
  ['an approval that was told', (db) => earlyOf(db, 'https://far.example/5', '5')],
  ['approvals that answers have besides', (db) => takeEarlyOf(db as never, many)],
  ['approvals of what never came', (db) => deleteEarly(db, 2_000)],
  ['the answers of an approval', (db) => repliesByApproval(db, 'https://far.example/approvals/5', '5')],
  ['an approval', (db) => authorizationById(db, many[0] ?? '')],
  ['the approval of a quote', (db) => authorizationFor(db, many[0] ?? '', 'https://far.example/5')],
  ['previews of a page', (db) => previewsOf(db, ['1', '2'])],
  ['pages read long ago', (db) => oldPreviews(db, { at: '-infinity', id: '0' }, new Date(), 2_000)],
  ['addresses read long ago', (db) => deleteLinks(db, new Date(), 2_000)],
  ['statuses with a link', (db) => linkTimelineIds(db, '5', { local: true, remote: true, languages: null }, page)],
  ['a trending page', (db) => trendingPreview(db, 'https://far.example/page/5', true)],
  ['what trends', (db) => trendIds(db, 'status', trendPage)],
  ['everything that might trend', (db) => trendIds(db, 'tag', { ...trendPage, allowed: 'any' })],
  ['whose statuses trend', (db) => trendAuthors(db, false)],
  ['trends for review', (db) => trendsForReview(db, 'tag', { limit: 20, offset: 0 })],
  ['tags for staff', (db) => tagPage(db, undefined, page)],
  ['tags for staff by name', (db) => tagPage(db, 'tag5', page)],
  ['days of a tag', (db) => tagDays(db, '5', days)],
  ['accounts and servers of a tag', (db) => tagTotals(db, '5', days)],
  ['domains of a tag', (db) => tagPlaces(db, '5', 'domain', { ...days, largest: 10 })],
  ['publishers for staff', (db) => publisherPage(db, page)],
  ['decisions about publishers', (db) => decisionsAbout(db, ['5.example', '6.example'])],
  ['trending links of a publisher', (db) => allowLinksOf(db as never, '5.example', true)],
  ['what staff decided', (db) => reviewsOf(db, 'status', many)],
  ['tags by id', (db) => tagsById(db, ['1', '2'])],
  ['the week of links', (db) => usedDays(db, 'preview', ['1', '2'], ['2026-01-01', '2026-01-02'])],
  ['counting a share', (db) => countShares(db as never, [{ day: '2026-01-01', account: '5', status: many[0] ?? '' }])],
  ['tags that might trend', (db) => measuredTags(db, measured)],
  ['links that might trend', (db) => measuredLinks(db, measured)],
  [
    'statuses that might trend',
    (db) => measuredStatuses(db, { since: new Date(), now: new Date(), least: 5, limit: 500 }),
  ],
  ['the claim of a link', (db) => claimLink(db, 'https://far.example/page/5', new Date(), new Date())],
  ['a link', (db) => linkOf(db, 'https://far.example/page/5', new Date())],
  ['links that are due', (db) => takeDuePreviews(db as never, new Date(), 10)],
  [
    'old statuses of a person',
    (db) => oldStatuses(db, '5', { ...NO_CLEANUP, seen: '7', beganAt: new Date() }, new Date(), 500),
  ],
  ['whose old statuses are due', (db) => takeDueCleanups(db as never, new Date(), new Date(), 50)],
  [
    'servers that are asked again for who is mentioned',
    (db) => takeDueHosts(db as never, { now: new Date(), until: new Date(), limit: 100 }),
  ],
  ['who is mentioned on a server that was away', (db) => unreachedAt(db, 'away1.example', new Date(), 40)],
  [
    'who was not found on a server',
    (db) => countTry(db as never, 'away1.example', new Date(), null, { now: new Date(), waits: [30] }),
  ],
  ['tombstones', (db) => hasTombstone(db, '5', 'https://gone.example/5')],
  ['tombstones of an author', (db) => takeTombstones(db as never, '5', new Date(), 1_000)],
]

test.each(queries)('%s: uses an index', async (_name, work) => {
  const plan = await planOf(work)
  expect(plan).toMatch(/Index|Bitmap/)
  expect(plan).not.toMatch(/Seq Scan/)
})

test('a page of statuses reads one month for each id', async () => {
  const plan = await planOf((db) => loadStatuses(db, '5', many))
  expect(plan).toMatch(/Append[\s\S]*Index Scan using statuses_\w*pkey/)
})

const byKeys: [string, (db: Reader) => Promise<unknown>][] = [
  ['choices in polls', (db) => choicesOf(db, '5', ['1', '2'])],
  ['quotes', (db) => quotesOf(db, ['1', '2'])],
  ['statuses by uri', (db) => idsByUri(db, ['https://here.example/1'])],
  ['tags by name', (db) => tagsByName(db, ['one', 'two'])],
]

test.each(byKeys)('PostgreSQL keeps one plan for %s, which uses the index', async (_name, request) => {
  const db = openDatabase({ url: harness.cluster.env.DATABASE_URL ?? '', schema: 'statuses', connections: 1 })
  const plan = await keptPlansOf(db, request).finally(() => db.close())
  expect(plan).toMatch(/Index|Bitmap/)
  expect(plan).not.toMatch(/Seq Scan/)
})

test('statuses by id are planned with the ids, so that only their months are read', async () => {
  const plan = await planOf((db) => localAmong(db, many))
  const months = new Set([...plan.matchAll(/Scan using (statuses_(?:\d{6}|before|default))/g)].map((found) => found[1]))
  expect(months.size).toBe(1)
})
