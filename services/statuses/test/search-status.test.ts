/** Search of statuses: what each viewer finds, operators, and updates of the index. */
import { readFile } from 'node:fs/promises'
import { type Sql, sql, vectorText } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '../src/context.js'
import { findIds, indexSearchText, type StatusQuery } from '../src/core/status/search.store.js'
import { indexOlder } from '../src/search/ticks.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let me: FakeAccount
/** Is not discoverable. */
let shy: FakeAccount
let open: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  me = harness.fakes.fakeAccount('seeker')
  shy = harness.fakes.fakeAccount('shy', { indexable: false })
  open = harness.fakes.fakeAccount('open')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const found = async (fakeAccount: FakeAccount, q: string, more: object = {}) => {
  await harness.cluster.waitForIdle()
  const { statuses: list } = await call(
    statuses.search,
    { q, type: 'statuses', ...more } as never,
    harness.as(fakeAccount),
  )
  return list.map((one) => one.id)
}
const rows = async (id: string): Promise<number> =>
  (
    await harness.cluster
      .db('statuses')
      .row<{ n: number }>(sql`select count(*)::int as n from status_search where status_id = ${id}`)
  )?.n ?? 0

describe('results for a viewer', () => {
  test('S-020 public statuses of indexable accounts are found, and nothing else of unrelated accounts', async () => {
    const yes = await harness.post(open, 'lighthouse')
    await harness.post(open, { status: 'lighthouse', visibility: 'unlisted' })
    await harness.post(open, { status: 'lighthouse', visibility: 'private' })
    await harness.post(open, { status: '@shy lighthouse', visibility: 'direct' })
    await harness.post(shy, 'lighthouse')
    expect(await found(me, 'lighthouse')).toEqual([yes.id])
    expect(await found(me, 'lighthouse in:public')).toEqual([yes.id])
    expect(await found(me, 'lighthouse in:library')).toEqual([])
  })

  test('S-020 own statuses are found, and those that mention the viewer or that the viewer favourited, boosted, bookmarked or voted in', async () => {
    const mine = await harness.post(me, { status: 'harbour', visibility: 'private' })
    const naming = await harness.post(shy, { status: '@seeker harbour', visibility: 'direct' })
    const [liked, boosted, kept, other] = await Promise.all(
      Array.from({ length: 4 }, () => harness.post(shy, { status: 'harbour' })),
    )
    const poll = await harness.post(shy, { status: 'harbour', poll: { options: ['north', 'south'], expires_in: 600 } })
    expect(await found(me, 'harbour')).toEqual([naming.id, mine.id])
    await call(statuses.addFavourite, { id: liked?.id ?? '' }, harness.as(me))
    await call(statuses.addReblog, { id: boosted?.id ?? '' }, harness.as(me))
    await call(statuses.addBookmark, { id: kept?.id ?? '' }, harness.as(me))
    await call(statuses.vote, { id: poll.poll?.id ?? '', choices: [0] } as never, harness.as(me))
    const all = await found(me, 'harbour')
    expect(new Set(all)).toEqual(new Set([mine.id, naming.id, liked?.id, boosted?.id, kept?.id, poll.id]))
    expect(all).toEqual(all.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)))
    expect(await found(me, 'harbour in:library')).toEqual(all)
    expect(await found(me, 'harbour in:public')).toEqual([])
    expect(all).not.toContain(other?.id)
    expect(await found(me, 'south')).toEqual([poll.id])
  })

  test('I6 statuses of blocked, muted, suspended and limited accounts are not found, nor those that are no longer visible', async () => {
    const { fakes } = harness
    const seeker = fakes.fakeAccount('seeker2')
    const fakeAccounts = ['blocked', 'muted', 'blocker', 'suspended', 'limited', 'befriended'].map((name) =>
      fakes.fakeAccount(name),
    )
    const [blocked, muted, blocker, suspended, limited, friend] = fakeAccounts as [
      FakeAccount,
      FakeAccount,
      FakeAccount,
      FakeAccount,
      FakeAccount,
      FakeAccount,
    ]
    const posts = await Promise.all(fakeAccounts.map((one) => harness.post(one, 'cathedral')))
    const secret = await harness.post(friend, { status: 'cathedral', visibility: 'private' })
    fakes.follow(seeker, friend)
    await call(statuses.addBookmark, { id: secret.id }, harness.as(seeker))
    expect(await found(seeker, 'cathedral')).toHaveLength(7)
    fakes.block(seeker, blocked)
    fakes.mute(seeker, muted)
    fakes.block(blocker, seeker)
    const flags = { local: true, domain: null, sensitized: false, discoverable: true, indexable: true }
    const change = (one: FakeAccount, more: { silenced: boolean; suspended: boolean }) =>
      harness.happen(accounts.accountChanged, { id: one.id, flags: { ...flags, ...more }, profile: false })
    await change(suspended, { silenced: false, suspended: true })
    await change(limited, { silenced: true, suspended: false })
    expect(await found(seeker, 'cathedral')).toEqual([secret.id, posts[5]?.id])
    fakes.unfollow(seeker, friend)
    expect(await found(seeker, 'cathedral')).toEqual([posts[5]?.id])
    await harness.happen(accounts.accountChanged, {
      id: friend.id,
      flags: { ...flags, indexable: false, silenced: false, suspended: false },
      profile: false,
    })
    expect(await found(seeker, 'cathedral')).toEqual([])
  })
})

describe('operators', () => {
  test('words, phrases, exclusions, accents and unspaced languages are supported', async () => {
    const one = await harness.post(open, 'The quick brown zebra, naïve!')
    const two = await harness.post(open, { status: 'brown and quick zebra', spoiler_text: 'Animals' })
    const three = await harness.post(open, '東京都に行く zebra')
    expect(await found(me, 'ZEBRA quick')).toEqual([two.id, one.id])
    expect(await found(me, '"quick brown"')).toEqual([one.id])
    expect(await found(me, 'zebra -"quick brown"')).toEqual([three.id, two.id])
    expect(await found(me, 'zebra -quick')).toEqual([three.id])
    expect(await found(me, 'naive zebra')).toEqual([one.id])
    expect(await found(me, 'animals zebra')).toEqual([two.id])
    expect(await found(me, '東京')).toEqual([three.id])
    expect(await found(me, '…')).toEqual([])
  })

  test('parts of compounds and folded letters are found', async () => {
    const texts = {
      japanese: '今日は東京タワーに行った',
      chinese: '我们在中华人民共和国旅行',
      korean: '서울에서 만나요',
      thai: 'ไปกรุงเทพมหานครกัน',
      german: 'Grüße aus der Fußgängerzone',
      polish: 'Pozdrowienia z Łodzi',
      danish: 'Smørrebrød på Ærø',
      greek: 'Ο ΔΡΌΜΟΣ',
      arabic: 'أين المدرسة على ٢٠٢٦',
      persian: 'کتاب خوب',
      hindi: 'ग़ज़ल',
      turkish: 'IŞIK hızı',
    }
    const ids: Record<string, string> = {}
    for (const [name, text] of Object.entries(texts)) ids[name] = (await harness.post(open, text)).id
    const queries: [string, string][] = [
      ['東京', 'japanese'],
      ['タワー', 'japanese'],
      ['東京タワー', 'japanese'],
      ['に', 'japanese'],
      ['人民', 'chinese'],
      ['"共和国旅行"', 'chinese'],
      ['서울', 'korean'],
      ['กรุงเทพ', 'thai'],
      ['มหานคร', 'thai'],
      ['fussgangerzone', 'german'],
      ['FUSSGÄNGERZONE', 'german'],
      ['lodzi', 'polish'],
      ['smorrebrod aero', 'danish'],
      ['δρομος', 'greek'],
      ['اين المدرسه', 'arabic'],
      ['علي 2026', 'arabic'],
      ['كتاب', 'persian'],
      ['गजल', 'hindi'],
      ['ışık hizi', 'turkish'],
    ]
    const among = async (query: string) =>
      (await found(me, query)).flatMap((id) => Object.keys(ids).filter((name) => ids[name] === id))
    for (const [query, name] of queries) expect([query, await among(query)]).toEqual([query, [name]])
    expect(await among('京都')).toEqual([])
    expect(await found(me, '東京都タワー')).toEqual([])
    expect(await found(me, '東京 -タワー')).not.toContain(ids.japanese)
  })

  test('properties, languages and hashtags are supported', async () => {
    const { fakes } = harness
    const author = fakes.fakeAccount('maker')
    const robot = fakes.fakeAccount('robot', { bot: true })
    const file = (type: 'image' | 'video' | 'audio') =>
      fakes.file(author, { type, description: `a ${type} of kelp` }).id
    const [image, video, audio] = [file('image'), file('video'), file('audio')]
    const posts = {
      image: await harness.post(author, { status: 'mosaic', media_ids: [image], sensitive: true }),
      video: await harness.post(author, { status: 'mosaic', media_ids: [video] }),
      audio: await harness.post(author, { status: 'mosaic', media_ids: [audio] }),
      poll: await harness.post(author, { status: 'mosaic', poll: { options: ['a', 'b'], expires_in: 600 } }),
      link: await harness.post(author, 'mosaic https://page.example/here'),
      bot: await harness.post(robot, { status: 'mosaic #Tiles', language: 'de' }),
    }
    const reply = await harness.post(author, { status: 'mosaic', in_reply_to_id: posts.link.id })
    for (const kind of ['image', 'video', 'audio', 'poll', 'link'] as const)
      expect(await found(me, `mosaic has:${kind}`)).toEqual([posts[kind].id])
    expect(await found(me, 'mosaic has:media')).toEqual([posts.audio.id, posts.video.id, posts.image.id])
    expect(await found(me, 'mosaic is:sensitive')).toEqual([posts.image.id])
    expect(await found(me, 'mosaic is:bot')).toEqual([posts.bot.id])
    expect(await found(me, 'mosaic is:reply')).toEqual([reply.id])
    expect(await found(me, 'mosaic -is:reply -has:media -has:poll -has:link')).toEqual([posts.bot.id])
    expect(await found(me, 'mosaic language:DE')).toEqual([posts.bot.id])
    expect(await found(me, 'mosaic #tiles')).toEqual([posts.bot.id])
    expect(await found(me, 'mosaic has:embed')).toEqual([])
    expect(await found(me, 'mosaic has:nonsense')).toEqual([])
    expect(await found(me, 'kelp has:video')).toEqual([posts.video.id])
  })

  test('days are supported', async () => {
    const { id } = await harness.post(open, 'meteor')
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    for (const q of [`during:${at(0)}`, `before:${at(1)}`, `after:${at(-1)}`, `-during:${at(-1)}`, `after:1900-01-01`])
      expect(await found(me, `meteor ${q}`)).toEqual([id])
    for (const q of [`during:${at(-1)}`, `before:${at(0)}`, `after:${at(0)}`, `-during:${at(0)}`, 'before:1900-01-01'])
      expect(await found(me, `meteor ${q}`)).toEqual([])
  })

  test('days are days of the time zone of the viewer', async () => {
    const { id, created_at } = await harness.post(open, 'comet')
    // At each time, the day in one of these time zones differs from the day in UTC.
    for (const [time_zone, hours] of [
      ['Pacific/Kiritimati', 14],
      ['Pacific/Pago_Pago', -11],
    ] as const) {
      const viewer = harness.fakes.fakeAccount(`in${hours + 20}`)
      viewer.defaults.time_zone = time_zone
      const at = (days: number) =>
        new Date(Date.parse(created_at) + hours * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
      for (const q of [`during:${at(0)}`, `before:${at(1)}`, `after:${at(-1)}`])
        expect(await found(viewer, `comet ${q}`)).toEqual([id])
      for (const q of [`-during:${at(0)}`, `before:${at(0)}`, `after:${at(0)}`])
        expect(await found(viewer, `comet ${q}`)).toEqual([])
    }
  })
})

describe('the index', () => {
  test('the index follows edits and deletions, and contains no boosts', async () => {
    const { id } = await harness.post(open, 'walnut')
    const boost = await call(statuses.addReblog, { id }, harness.as(me))
    expect(await found(me, 'walnut')).toEqual([id])
    await call(statuses.editStatus, { id, status: 'hazelnut' }, harness.as(open))
    expect(await found(me, 'walnut')).toEqual([])
    expect(await found(me, 'hazelnut')).toEqual([id])
    expect([await rows(id), await rows(boost.id)]).toEqual([1, 0])
    await call(statuses.deleteStatus, { id }, harness.as(open))
    expect(await found(me, 'hazelnut')).toEqual([])
    expect(await rows(id)).toBe(0)
  })

  test('the line that links to the quoted status is not indexed', async () => {
    const original = await harness.post(harness.fakes.fakeAccount('quotedauthor'), 'pecan')
    const quoting = await harness.post(open, { status: 'macadamia', quoted_status_id: original.id })
    expect(quoting.content).toMatch(/quote-inline.*RE: .*@quotedauthor/)
    expect(await found(me, 'macadamia')).toEqual([quoting.id])
    expect(await found(me, 'macadamia is:quote')).toEqual([quoting.id])
    expect(await found(me, 'quotedauthor')).toEqual([])
    expect(await found(me, 'macadamia RE')).toEqual([])
    // Other text in an element with the class of this line is indexed.
    const html = '<p class="quote-inline">candlenut <a href="https://spam.example/">spam</a></p><p>macadamia</p>'
    const far = harness.fakes.fakeAccount('farquoter', { domain: 'far.example', discoverable: true, indexable: true })
    const quote = { uri: 'https://gone.example/1', stamp: null, legacy: false }
    const { id } = await call(statuses.putRemoteStatus, { status: remoteStatus(far, { html, quote }) })
    expect(await found(me, 'candlenut')).toEqual([id])
  })

  test('indexing again changes nothing, and neither old versions nor deleted statuses are indexed', async () => {
    const { id } = await harness.post(open, 'chestnut')
    await harness.cluster.waitForIdle()
    const db = harness.cluster.db('statuses')
    const words = async (text: string, rev: number) =>
      (await indexSearchText(db, [{ id, rev, terms: [text], marks: [] }])).has(id)
    expect(await words('chestnut', 1)).toBe(true)
    expect(await words('chestnut', 1)).toBe(true)
    expect(await rows(id)).toBe(1)
    await call(statuses.editStatus, { id, status: 'peanut' }, harness.as(open))
    expect(await words('chestnut', 1)).toBe(false)
    expect(await found(me, 'peanut')).toEqual([id])
    await call(statuses.deleteStatus, { id }, harness.as(open))
    for (const rev of [1, 2, 3]) expect(await words('peanut', rev)).toBe(false)
    expect(await rows(id)).toBe(0)
  })

  test('removing an account removes its statuses from the index', async () => {
    const leaver = harness.fakes.fakeAccount('leaver')
    const { id } = await harness.post(leaver, 'bye')
    await harness.cluster.waitForIdle()
    expect(await rows(id)).toBe(1)
    await harness.happen(accounts.accountRemoved, { id: leaver.id, local: true, uri: leaver.uri })
    expect(await rows(id)).toBe(0)
  })

  test('older statuses are indexed, and then the tick has nothing to do', async () => {
    const { id } = await harness.post(open, 'antique')
    await harness.cluster.waitForIdle()
    const db = harness.cluster.db('statuses')
    await db.run(sql`delete from status_search`)
    await db.run(
      sql`insert into status_search_backlog (id, starts_at, below) values (1, now() - interval '1 second', 9223372036854775807)`,
    )
    expect(await found(me, 'antique')).toEqual([])
    const { ctx: base } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
    const ctx = await createContext(base as never)
    await indexOlder.run(ctx)
    expect(await found(me, 'antique')).toEqual([id])
    expect(await db.rows(sql`select 1 from status_search_backlog`)).toEqual([])
    await indexOlder.run(ctx)
  })

  test('one run of the tick indexes several batches', async () => {
    const db = harness.cluster.db('statuses')
    await db.run(sql`insert into statuses (id, author_id, local, visibility, uri, conversation_id, created_at)
      select n, ${open.id}, false, 0, 'https://far.example/' || n, n, now() from generate_series(1, 450) n`)
    await db.run(
      sql`insert into status_search_backlog (id, starts_at, below) values (1, now() - interval '1 second', 451)`,
    )
    const { ctx: base } = harness.cluster.host.running.find((one) => one.service === 'statuses') ?? {}
    await indexOlder.run(await createContext(base as never))
    expect(await db.rows(sql`select 1 from status_search_backlog`)).toEqual([])
    expect(await db.rows(sql`select 1 from status_search where status_id <= 450`)).toHaveLength(450)
    await db.run(sql`delete from status_search where status_id <= 450`)
    await db.run(sql`delete from statuses where id <= 450`)
  })

  test.each([
    ['0270_search_variants', 2],
    ['0273_search_apostrophes', 3],
    ['0390_search_quote_lines', 4],
  ])('the index of %s replaces an earlier index that is not done, and starts an hour later', async (name, index) => {
    const db = harness.cluster.db('statuses')
    const migration = await readFile(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8')
    const statements = migration.slice(migration.indexOf('delete from ')).trim().split(/;\s*/).filter(Boolean)
    await db.run(sql`insert into status_search_backlog (id, starts_at, below) values (${index - 1}, now(), 500)`)
    for (const text of statements) await db.run({ parts: [text], values: [], text } as Sql)
    const rest = await db.rows(
      sql`select id, below, starts_at > now() + interval '50 minutes' as later from status_search_backlog`,
    )
    expect(rest).toEqual([{ id: index, below: '9223372036854775807', later: true }])
    await db.run(sql`delete from status_search_backlog`)
  })

  test('processes of the release before cannot move or delete the position of an index that starts later', async () => {
    const db = harness.cluster.db('statuses')
    const migration = await readFile(new URL('../migrations/0260_search_scripts.sql', import.meta.url), 'utf8')
    const statements = migration.slice(migration.indexOf('insert into ')).trim().split(/;\s*/).filter(Boolean)
    await db.run(sql`insert into search_terms_backlog (below, starts_at) values (500, now())`)
    for (const text of statements) await db.run({ parts: [text], values: [], text } as Sql)
    await db.run(sql`update search_terms_backlog set below = 300`)
    await db.run(sql`delete from search_terms_backlog`)
    const rest = await db.rows(
      sql`select below, starts_at > now() + interval '50 minutes' as later from status_search_backlog`,
    )
    expect(rest).toEqual([{ below: '9223372036854775807', later: true }])
    await db.run(sql`delete from status_search_backlog`)
  })

  test('statuses in the form of the release before are found until they are indexed again', async () => {
    const db = harness.cluster.db('statuses')
    const { id } = await harness.post(open, 'پیکر دریا')
    const other = await harness.post(open, 'गाज़ियाबाद')
    await harness.cluster.waitForIdle()
    await db.run(
      sql`update status_search set words = ${vectorText(['پیکر', 'دریا'])}::tsvector where status_id = ${id}`,
    )
    await db.run(
      sql`update status_search set words = ${vectorText(['गाज़ियाबाद'.normalize('NFC')])}::tsvector where status_id = ${other.id}`,
    )
    expect(await found(me, 'دریا')).toEqual([id])
    expect(await found(me, '"پیکر دریا"')).toEqual([id])
    expect(await found(me, 'پیکر -دریا')).toEqual([])
    expect(await found(me, 'गाज़ियाबाद')).toEqual([other.id])
  })
})

test('A140 rare words and the statuses of one author are found by indexes, without reading the whole table', async () => {
  const db = harness.cluster.db('statuses')
  await db.run(sql`insert into status_search (status_id, author_id, visibility, words)
    select n, n % 500, 0, to_tsvector('simple', 'word' || n % 5000 || ' common') from generate_series(1, 20000) as n`)
  const base: StatusQuery = {
    viewer: me.id,
    phrases: [],
    marks: [],
    embeds: [],
    authors: [],
    spans: [],
    scope: 'all',
    maxId: null,
    minId: null,
    limit: 20,
    offset: 0,
  }
  const plan = async (wish: Partial<StatusQuery>): Promise<string> => {
    const lines = await db.tx(async (tx) => {
      await tx.run(sql`set local enable_seqscan = off`)
      let text: { 'QUERY PLAN': string }[] = []
      const rows = async (query: { text: string; values: readonly unknown[] }) => {
        text = await tx.rows({ text: `explain ${query.text}`, values: query.values })
        return []
      }
      await findIds({ ...tx, rows } as never, { ...base, ...wish })
      return text
    })
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }
  const rare = await plan({ phrases: [{ words: 'word77', not: false }], marks: [{ mark: '=is:media', not: true }] })
  expect(rare).toMatch(/Bitmap Index Scan on status_search_words/)
  const author = await plan({ authors: [{ id: '7', not: false }] })
  expect(author).toMatch(/status_search_author/)
  for (const one of [rare, author, await plan({ phrases: [{ words: 'common', not: false }], scope: 'library' })]) {
    expect(one).toMatch(/^Limit/)
    expect(one).not.toMatch(/Seq Scan/)
  }
})
