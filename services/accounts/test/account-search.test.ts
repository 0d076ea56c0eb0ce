/** Tests of account search by the beginnings of words, without accents and case. */
import { readFile } from 'node:fs/promises'
import {
  createFollow,
  findAccount,
  searchAccounts,
  showAccount,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { type Sql, sql, vectorText } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../src/context.js'
import { indexNames } from '../src/search/ticks.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let me: Viewer
const ids: Record<string, string> = {}
beforeAll(async () => {
  harness = await startAccounts()
  me = await harness.createAccount('seeker')
  const local = async (name: string, display_name: string) => {
    const one = await harness.createAccount(name)
    await harness.call(updateCredentials, { display_name }, one)
    ids[name] = one.id
  }
  await local('anna', 'Anna Schmidtke')
  await local('jo', 'José García-Ñúñez')
  await local('elephant', '🐘 Party 🇩🇪')
  await local('tanaka', '田中太郎')
  await local('weiss', 'Frau Weiß (she/her)')
  await local('pat', "Pat O'Brien-Jones")
  await local('decorated', 'ᴢᴏᴇ 🅼🅰🆁🆃🅸🅽')
  await local('ali', 'علي كتاب')
  await local('fatima', 'فاطمة ١٢')
  await local('hebrew', 'שָׁלוֹם צה״ל')
  await local('hindi', 'ज़मीन हिन्दी')
  await local('thai', 'สวัสดีครับ')
  await local('turk', 'Işık İnönü')
  await local('viet', 'Nguyễn Đường')
  await local('odos', 'ΟΔΟΣ')
  await local('wide', 'Ｗｉｄｅ Ｌｅｔｔｅｒｓ')
  await local('azeri', 'Əhməd')
  await local('watanabe', '渡邉\u{e0102}健司')
  await local('jane', 'Jane @ FOSDEM')
  ids.far = await harness.remote('deep_river', { domain: 'social.far.example', display_name: 'Łucja Müller' })
  ids.idn = await harness.remote('ida', { domain: 'xn--mnchen-3ya.example', display_name: 'Θεοδώρα' })
  ids.bern = await harness.remote('idabern', { domain: 'xn--mnchen-3ya.example', display_name: 'Ida Bern' })
})
afterAll(() => harness.stop())

const namesOf = (found: readonly string[]) => found.map((id) => Object.keys(ids).find((name) => ids[name] === id))
const found = async (q: string, more: object = {}) =>
  namesOf((await harness.call(searchAccounts, { q, ...more }, me)).map((one) => one.id))

test.each([
  ['Schmidtke', ['anna']],
  ['schmid', ['anna']],
  ['zoe martin', ['decorated']],
  ['ᴢᴏᴇ', ['decorated']],
  ['schmidtke anna', ['anna']],
  ['ann schm', ['anna']],
  ['jose', ['jo']],
  ['JOSÉ', ['jo']],
  ['garcia', ['jo']],
  ['nunez', ['jo']],
  ['🐘', ['elephant']],
  ['party', ['elephant']],
  ['🇩🇪', ['elephant']],
  ['太郎', ['tanaka']],
  ['中太', ['tanaka']],
  ['郎', ['tanaka']],
  ['weiss', ['weiss']],
  ['WEISS', ['weiss']],
  ['her', ['weiss']],
  ['river', ['far']],
  ['deep_riv', ['far']],
  ['lucja', ['far']],
  ['Mull', ['far']],
  ['far', ['far']],
  ['social', ['far']],
  ['müller social', ['far']],
  ['deep@far', ['far']],
  ['@deep@social.far', ['far']],
  ['münchen', ['idn', 'bern']],
  ['ida@münch', ['idn', 'bern']],
  ['ida@xn--mn', ['idn', 'bern']],
  ['ida@munchen', ['idn', 'bern']],
  ['@ida@MUNCH', ['idn', 'bern']],
  ['ida@munchen.exam', ['idn', 'bern']],
  ['ida@unchen', []],
  ['ida@bern', []],
  ['ida@idabern', []],
  ['ida bern', ['bern']],
  ['deep@munchen', []],
  ['jane @ fosdem', ['jane']],
  ['Jane @FOS', ['jane']],
  ['jane@ fosdem', ['jane']],
  ['@jane@', ['jane']],
  ['fosdem @ jane @', ['jane']],
  ['θεοδωρα', ['idn']],
  ['obrien', ['pat']],
  ["o'brien", ['pat']],
  ['O’BRIEN', ['pat']],
  ['brien', ['pat']],
  ['pat obri', ['pat']],
  ['obrienjones', ['pat']],
  ['علی', ['ali']],
  ['عَلي کتاب', ['ali']],
  ['فاطمه', ['fatima']],
  ['فاطمة ۱۲', ['fatima']],
  ['שלום', ['hebrew']],
  ['צהל', ['hebrew']],
  ['जमीन', ['hindi']],
  ['हिन्', ['hindi']],
  ['สวัส', ['thai']],
  ['ดีครับ', ['thai']],
  ['isik', ['turk']],
  ['IŞIK', ['turk']],
  ['inonu', ['turk']],
  ['nguyen', ['viet']],
  ['Đư', ['viet']],
  ['duong', ['viet']],
  ['οδος', ['odos']],
  ['οδό', ['odos']],
  ['wide lett', ['wide']],
  ['ｗｉｄ', ['wide']],
  ['ehmed', ['azeri']],
  ['渡邉健司', ['watanabe']],
  ['邉健', ['watanabe']],
  ['渡邉\u{e0102}', ['watanabe']],
  ['midtke', []],
  ['anna weiss', []],
  ['deep@other', []],
  ["' & | ! <-> :* \\\\", []],
])('the query %j finds the accounts %j', async (q, names) => {
  expect(await found(q)).toEqual(names)
})

test('the domain of this server matches together with a name, and alone finds no account', async () => {
  const [label] = (harness.env.LOCAL_DOMAIN ?? 'localhost').split(/[.:]/)
  expect(await found(`anna@${label}`)).toEqual(['anna'])
  expect(await found(`schmidtke ${label}`)).toEqual(['anna'])
  expect(await found(label ?? '')).toEqual([])
})

test('a search among followees finds the domain of this server, too', async () => {
  const [label] = (harness.env.LOCAL_DOMAIN ?? 'localhost').split(/[.:]/)
  const reader = await harness.createAccount('reader')
  const among = async (q: string) =>
    namesOf((await harness.call(searchAccounts, { q, following: true }, reader)).map((one) => one.id))
  await harness.call(createFollow, { id: ids.weiss ?? '' }, reader)
  for (const q of [`weiss@${label}`, `weiss ${label}`, `${label} weiss`])
    expect([q, await among(q)]).toEqual([q, ['weiss']])
  expect(await among(`schmidtke ${label}`)).toEqual([])
  expect(await among(label ?? '')).toEqual([])
})

test('accounts of this server are found by each word of its domain, also in its Unicode form', async () => {
  const other = await startAccounts({ LOCAL_DOMAIN: 'social.xn--mnchen-3ya.example' })
  try {
    const anna = await other.createAccount('anna')
    const names = async (q: string) =>
      (await other.call(findAccount, { viewer: anna.id, q, limit: 20, following: false })).ids
    const remote = await other.remote('annabel', { domain: 'xn--mnchen-3ya.far.example' })
    for (const q of ['ann@soc', 'ann@xn--mnch', 'ann@example', 'ann@social.xn--mn', 'ann social', 'ann@sociál'])
      expect([q, (await names(q)).includes(anna.id)]).toEqual([q, true])
    const reader = await other.createAccount('reader')
    await other.call(createFollow, { id: anna.id }, reader)
    const among = async (q: string) =>
      (await other.call(findAccount, { viewer: reader.id, q, limit: 20, following: true })).ids
    for (const q of [
      'ann@münch',
      'ann@munch',
      'ann@munchen.ex',
      'ann münchen',
      'ann@soc',
      'ann social',
      'ann@xn--mnch',
    ])
      expect([q, await among(q)]).toEqual([q, [anna.id]])
    expect(await among('ann@munster')).toEqual([])
    for (const q of ['ann@münch', 'ann@munch', 'ann@MÜNCHEN', 'ann münchen', '@ann@münchen.ex'])
      expect([q, (await names(q)).toSorted()]).toEqual([q, [anna.id, remote].toSorted()])
    for (const q of ['ann@ocial', 'ann@other', 'ann@münster'])
      expect([q, (await names(q)).includes(anna.id)]).toEqual([q, false])
  } finally {
    await other.stop()
  }
})

test('the general search, visitors and the search among followees find the same accounts', async () => {
  const find = async (viewer: string | null, q: string, following = false) =>
    namesOf((await harness.call(findAccount, { viewer, q, limit: 20, following })).ids)
  expect(await find(null, 'schmidtke')).toEqual(['anna'])
  expect(await find(me.id, 'nunez', true)).toEqual([])
  await harness.call(createFollow, { id: ids.jo ?? '' }, me)
  await harness.call(createFollow, { id: ids.tanaka ?? '' }, me)
  expect(await find(me.id, 'nunez', true)).toEqual(['jo'])
  expect(await found('太郎', { following: true })).toEqual(['tanaka'])
  expect(await found('schmidtke', { following: true })).toEqual([])
})

test('a followee comes first, also if it is not among the first candidates', async () => {
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'many' || n, 'many.example', 'https://many.example/' || n, 'https://many.example/@' || n, now()
    from generate_series(1000, 2200) as n`)
  await db.run(sql`insert into account_search (account_id, words) select id, '''repeated'':1'::tsvector from accounts
    where domain = 'many.example'`)
  const friend = await harness.createAccount('repeatedly')
  ids.friend = friend.id
  expect(await found('repeated')).not.toContain('friend')
  await harness.call(createFollow, { id: friend.id }, me)
  expect((await found('repeated'))[0]).toBe('friend')
})

test('more hidden accounts than candidates do not hide an account that is found', async () => {
  const db = harness.db('accounts')
  const hidden = (first: number, columns: Sql, values: Sql) =>
    db.run(sql`with hidden as (insert into accounts (id, username, domain, uri, url, created_at, ${columns})
      select n, 'ghostly', n || '.ghost.example', 'https://ghost.example/' || n, 'https://ghost.example/@' || n, now(),
        ${values} from generate_series(${first}::int, ${first}::int + 600) as n returning id)
      insert into account_search (account_id, words) select id, '''ghostly'':1'::tsvector from hidden`)
  await hidden(10_000, sql`suspended_at`, sql`now()`)
  await hidden(20_000, sql`moved_to_uri`, sql`'https://other.example/' || n`)
  ids.ghost = (await harness.createAccount('ghost_seen')).id
  ids.ghostly = await harness.remote('ghostly', { domain: 'seen.example' })
  await db.run(sql`analyze accounts, account_search, users`)
  expect((await found('ghost')).toSorted()).toEqual(['ghost', 'ghostly'])
  expect(await found('ghostly')).toEqual(['ghostly'])
})

test('pages of a search for an exact handle contain each account once', async () => {
  ids.exact = await harness.remote('paged', { domain: 'page.example' })
  for (const [i, end] of ['a', 'b', 'c', 'd'].entries())
    ids[`paged${i}`] = await harness.remote('paged', { domain: `page.example${end}`, followers_count: 10 - i })
  const pages = [0, 2, 4].map((offset) => found('@paged@page.example', { limit: 2, offset }))
  expect(await Promise.all(pages)).toEqual([['exact', 'paged0'], ['paged1', 'paged2'], ['paged3']])
})

test('an account is found by its current names only', async () => {
  const one = await harness.createAccount('renamed')
  ids.renamed = one.id
  await harness.call(updateCredentials, { display_name: 'Oldname' }, one)
  expect(await found('oldname')).toEqual(['renamed'])
  await harness.call(updateCredentials, { display_name: 'Newname' }, one)
  expect([await found('oldname'), await found('newname'), await found('renam')]).toEqual([[], ['renamed'], ['renamed']])
  await harness.remote('deep_river', { domain: 'social.far.example', display_name: 'Zebra' })
  expect([await found('lucja'), await found('zebra')]).toEqual([[], ['far']])
  await harness.remote('deep_river', { domain: 'social.far.example', display_name: 'Łucja Müller' })
})

test('a moved account is found by its exact handle only', async () => {
  await harness.remote('goal', { domain: 'goal.example' })
  ids.moved = await harness.remote('mover', { domain: 'left.example', moved_to: 'https://goal.example/users/goal' })
  expect(await found('mover@left.example')).toEqual(['moved'])
  expect(await found('mover')).toEqual([])
  ids.lost = await harness.remote('drifter', { domain: 'left.example', moved_to: 'https://unknown.example/users/x' })
  for (const q of ['drifter@left.example', 'drifter']) expect(await found(q)).toEqual(['lost'])
  await harness.remote('x', { domain: 'unknown.example' })
  expect(await found('drifter@left.example')).toEqual(['lost'])
  expect(await found('drifter')).toEqual([])
})

test('accounts that an earlier release stored as moved to an unknown account are found, and moved when it is known', async () => {
  for (const name of ['elder', 'younger']) ids[name] = await harness.remote(name, { domain: 'left.example' })
  // A process of the earlier release stores the address of the unknown account in `moved_to_uri`.
  const storeEarlier = (name: string) =>
    harness.db('accounts').run(sql`update accounts set moved_to_uri = ${`https://unknown.example/users/${name}`}
      where id = ${ids[name]}`)
  await storeEarlier('elder')
  expect(await found('elder')).toEqual([])
  const migration = await readFile(new URL('../migrations/0381_awaited_moves_before.sql', import.meta.url), 'utf8')
  const text = migration.replace(/^--.*$/gm, '')
  await harness.db('accounts').run({ parts: [text], values: [], text } as Sql)
  expect(await found('elder')).toEqual(['elder'])
  await storeEarlier('younger')
  for (const name of ['elder', 'younger']) {
    await harness.remote(name, { domain: 'unknown.example' })
    const { moved } = await harness.call(showAccount, { id: ids[name] ?? '' })
    expect([moved?.acct, await found(`${name}@left`)]).toEqual([`${name}@unknown.example`, []])
  }
  expect(
    await harness.db('accounts').rows(sql`select uri from awaited_moves where uri like 'https://unknown.example/%er'`),
  ).toEqual([])
})

test('a search among followees finds an exact handle, also of a moved account', async () => {
  await harness.remote('haven', { domain: 'haven.example' })
  ids.left = await harness.remote('leaver', { domain: 'left.example', moved_to: 'https://haven.example/users/haven' })
  const among = (q: string, more: object = {}) => found(q, { following: true, ...more })
  expect(await among('leaver@left.example')).toEqual([])
  await harness.db('accounts').run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select 1, ${me.id}, ${ids.left}, true, now()`)
  for (const q of ['leaver@left.example', '@Leaver@LEFT.example', 'acct:leaver@left.example'])
    expect(await among(q, { resolve: true })).toEqual(['left'])
  expect(await among('leaver')).toEqual([])
  const find = (viewer: string | null) =>
    harness.call(findAccount, { viewer, q: 'leaver@left.example', limit: 20, following: true })
  expect(namesOf((await find(me.id)).ids)).toEqual(['left'])
  expect(namesOf((await find(ids.anna ?? null)).ids)).toEqual([])
})

test('the tick indexes accounts that are older than the index, and then stops', async () => {
  const db = harness.db('accounts')
  await db.run(sql`delete from account_search`)
  expect(await found('schmidtke')).toEqual([])
  await db.run(sql`insert into account_search_backlog (id, starts_at, below)
    values (1, now() - interval '1 second', 9223372036854775807), (2, now() + interval '1 hour', 9223372036854775807)`)
  const { ctx: base } = harness.host.running.find((one) => one.service === 'accounts') ?? {}
  const ctx = await createContext(base as never)
  await indexNames.run(ctx)
  expect(await found('schmidtke')).toEqual(['anna'])
  await indexNames.run(ctx)
  expect(await db.rows(sql`select 1 from account_search_backlog`)).toHaveLength(1)
  await db.run(sql`delete from account_search_backlog`)
})

test('one run of the tick indexes several batches', async () => {
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select n, 'batch' || n, 'batch.example', 'https://batch.example/' || n, '', now() from generate_series(900001, 904500) n`)
  await db.run(
    sql`insert into account_search_backlog (id, starts_at, below) values (5, now() - interval '1 second', 904501)`,
  )
  const { ctx: base } = harness.host.running.find((one) => one.service === 'accounts') ?? {}
  await indexNames.run(await createContext(base as never))
  expect(await db.rows(sql`select 1 from account_search_backlog`)).toEqual([])
  expect(await db.rows(sql`select 1 from account_search where account_id between 900001 and 904500`)).toHaveLength(
    4_500,
  )
  await db.run(sql`delete from accounts where id between 900001 and 904500`)
})

test.each([
  ['0330_account_search_scripts', 5],
  ['0360_account_search_variants', 7],
])('the index of %s replaces earlier indexes that are not done', async (name, id) => {
  const db = harness.db('accounts')
  const migration = await readFile(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8')
  await db.run(sql`insert into account_search_backlog (id, starts_at, below)
    select n, now(), 4000 from generate_series(1, ${id - 1}) n`)
  const statements = migration
    .replace(/^--.*$/gm, '')
    .trim()
    .split(/;\s*/)
    .filter(Boolean)
  for (const text of statements) await db.run({ parts: [text], values: [], text } as Sql)
  expect(
    await db.rows(
      sql`select id, starts_at > now() + interval '50 minutes' as later from account_search_backlog order by id`,
    ),
  ).toEqual([
    { id, later: false },
    { id: id + 1, later: true },
  ])
  await db.run(sql`delete from account_search_backlog`)
})

test('accounts in the form of the release before are found until they are indexed again', async () => {
  const db = harness.db('accounts')
  const id = await harness.remote('rostam', { domain: 'far.example', display_name: 'پیکر دریا' })
  ids.rostam = id
  await db.run(
    sql`update account_search set words = ${vectorText(['پیکر', 'دریا', 'rostam'])}::tsvector where account_id = ${id}`,
  )
  expect([await found('دریا'), await found('پیکر در'), await found('ros')]).toEqual([
    ['rostam'],
    ['rostam'],
    ['rostam'],
  ])
})
