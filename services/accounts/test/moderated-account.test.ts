/** Tests of the account list of staff: which accounts each filter selects, and the index that serves it. */
import {
  accountModerate,
  type ModeratedFilter,
  moderatedAccountDelete,
  moderatedAccountList,
} from '@murmuration/contracts/accounts'
import { type Database, openDatabase, type Reader, type Sql, sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countFollowsQuery, moderatedIds, moderatedQuery, windowQuery } from '../src/moderated-account/store.js'
import { type Cast, startAccounts } from './cast.js'

let cast: Cast
let db: Database
const ids: Record<string, string> = {}
beforeAll(async () => {
  cast = await startAccounts()
  db = cast.db('accounts') as Database
  for (const [name, role] of [
    ['olga', 'Owner'],
    ['mona', 'Moderator'],
    ['alice'],
    ['Al_bert'],
    ['alxbert'],
    ['waiting'],
    ['off'],
  ] as const)
    ids[name] = (await cast.person(name, role ? { role } : {})).id
  ids.eve = await cast.remote('eve')
  ids.evan = await cast.remote('evan', { domain: 'a.remote.example' })
  await db.run(sql`update users set approved = false where account_id = ${ids.waiting}`)
  for (const [id, action] of [
    [ids.off, 'disable'],
    [ids.alice, 'silence'],
    [ids.eve, 'suspend'],
    [ids.alxbert, 'sensitive'],
  ] as const)
    await cast.call(accountModerate, { id, action, stamp: 'staff' })
  await db.run(
    sql`insert into sign_ins (user_id, ip, used_at) select id, '192.0.2.7', now() from users where account_id = ${ids.alice}`,
  )
  await db.run(sql`update sign_ups set ip = '192.0.2.99' where account_id = ${ids.waiting}`)
  await db.run(sql`insert into invites (id, account_id, code, created_at) values (7, ${ids.mona}, 'code', now())`)
  await db.run(sql`update sign_ups set invite_id = 7 where account_id = ${ids.alice}`)
})
afterAll(() => cast.stop())

const list = async (filter: ModeratedFilter, page: object = {}): Promise<string[]> => {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  const { records } = await cast.call(moderatedAccountList, { filter, page: { limit: 100, ...page } })
  return records.map((one) => names.get(one.id) ?? one.id)
}
const here = ['off', 'waiting', 'alxbert', 'Al_bert', 'alice', 'mona', 'olga']

describe('S-151 each filter selects its accounts, newest first', () => {
  test.each<[string, ModeratedFilter, string[]]>([
    ['none', {}, ['evan', 'eve', ...here]],
    ['local', { origin: 'local' }, here],
    ['remote', { origin: 'remote' }, ['evan', 'eve']],
    ['active', { origin: 'remote', status: 'active' }, ['evan']],
    ['pending', { status: 'pending' }, ['waiting']],
    ['disabled', { status: 'disabled' }, ['off']],
    ['silenced', { status: 'silenced' }, ['alice']],
    ['suspended', { status: 'suspended' }, ['eve']],
    ['sensitized', { status: 'sensitized' }, ['alxbert']],
    ['staff', { staff: true }, ['mona', 'olga']],
    ['one role', { role_ids: ['1'] }, ['mona']],
    ['staff of one role', { staff: true, role_ids: ['1', '-99'] }, ['mona']],
    ['several roles', { role_ids: ['1', '3'] }, ['mona', 'olga']],
    ['no role', { role_ids: ['-99'], username: 'al' }, ['alxbert', 'Al_bert', 'alice']],
    ['a role or none', { role_ids: ['-99', '1'], username: 'mo' }, ['mona']],
    ['domain', { domain: 'remote.example' }, ['eve']],
    ['a domain among local accounts', { origin: 'local', domain: 'remote.example' }, []],
    ['user name in another case', { username: '@AL_' }, ['Al_bert']],
    ['a percent sign is no wildcard', { username: '%' }, []],
    ['display name', { display_name: 'EV' }, ['evan', 'eve']],
    ['e-mail address', { email: 'Alice@' }, ['alice']],
    ['address', { ip: '192.0.2.7' }, ['alice']],
    ['network, also of sign-ups', { ip: '192.0.2.0/24' }, ['waiting', 'alice']],
    ['no network', { ip: '192.0.2.300' }, []],
    ['inviter', { invited_by: 'mona' }, ['alice']],
    ['ids', { ids: ['mona', 'eve'] }, ['eve', 'mona']],
  ])('the filter %s', async (_, given, found) => {
    const filter = {
      ...given,
      ...(given.invited_by ? { invited_by: ids[given.invited_by] } : {}),
      ...(given.ids ? { ids: given.ids.map((name) => ids[name] ?? '') } : {}),
    }
    expect(await list(filter)).toEqual(found)
  })

  test('a user id is accepted as inviter, too', async () => {
    const row = await db.row<{ id: string }>(sql`select id from users where account_id = ${ids.mona}`)
    expect(await list({ invited_by: row?.id })).toEqual(['alice'])
  })

  test('pages have no gaps and no overlap in both directions', async () => {
    const first = await list({ origin: 'local' }, { limit: 3 })
    const rest = await list({ origin: 'local' }, { max_id: ids[first.at(-1) ?? ''] })
    expect([...first, ...rest]).toEqual(here)
    expect(await list({ origin: 'local' }, { limit: 2, min_id: ids.alice })).toEqual(['alxbert', 'Al_bert'])
    expect(await list({ origin: 'local' }, { limit: 2, since_id: ids.alice })).toEqual(['off', 'waiting'])
  })
})

test('a suspended account is deleted, any other one is not', async () => {
  const { id } = await cast.person('victor')
  expect(await cast.call(moderatedAccountDelete, { id })).toEqual({ changed: false })
  await cast.call(accountModerate, { id, action: 'suspend', stamp: 'staff' })
  expect(await cast.call(moderatedAccountDelete, { id })).toEqual({ changed: true })
  expect(await cast.call(moderatedAccountDelete, { id })).toEqual({ changed: false })
  expect(await list({ ids: [id] })).toEqual([])
  expect(await cast.call(moderatedAccountDelete, { id: ids.eve ?? '' })).toEqual({ changed: true })
  expect(await list({ origin: 'remote' })).toEqual(['evan'])
})

describe('S-151 an index serves each filter', () => {
  const page = { limit: 100, max_id: '9000000' }
  beforeAll(async () => {
    // Only the owner of the tables may analyse them.
    const owner = openDatabase({
      url: cast.env.DATABASE_URL ?? '',
      schema: 'accounts',
      connections: 1,
      statementTimeoutMs: 200_000,
    })
    await owner.run(sql`insert into accounts (id, username, domain, uri, url, display_name, created_at,
        silenced_at, suspended_at, sensitized_at)
      select n, md5(n::text), case when n % 3 > 0 then 'host' || n % 500 || '.example' end, 'https://x/' || n,
        'https://x/@' || n, md5(n::text), now(), case when n % 3000 = 0 then now() end,
        case when n % 3000 = 1 then now() end, case when n % 3000 = 2 then now() end
      from generate_series(1000, 45000) n`)
    await owner.run(sql`insert into users (id, account_id, email, role_id, approved, disabled, confirmed_at, created_at)
      select id, id, md5(id::text) || '@mail.example', case when id % 900 = 0 then 1 end, id % 1200 > 0, id % 1500 = 0,
        now(), now() from accounts where domain is null and id < 100000`)
    await owner.run(sql`insert into sign_ins (user_id, ip, used_at)
      select id, '10.0.0.0'::inet + id, now() from users where id < 100000`)
    await owner.run(sql`insert into invites (id, account_id, code, created_at)
      select id, id, id, now() from users where id % 9 = 0 and id < 100000`)
    await owner.run(sql`insert into sign_ups (user_id, account_id, ip, invite_id, waiting)
      select id, account_id, '10.0.0.0'::inet + id, case when id % 100 = 0 then id / 9 * 9 end, false
      from users where id < 100000 and (id % 100 > 0 or exists (select 1 from invites i where i.id = users.id / 9 * 9))`)
    await owner.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
      select n, n, n + 1, n % 3 = 0, now() from generate_series(1000, 20000) n`)
    await owner.run(sql`analyze`)
    await owner.close()
  })

  test.each<[string, ModeratedFilter, RegExp]>([
    ['nothing', {}, /Index (Only )?Scan Backward using accounts_pkey/],
    ['local', { origin: 'local' }, /users_account_id_key|accounts_pkey/],
    ['remote', { origin: 'remote' }, /accounts_pkey/],
    ['active', { origin: 'local', status: 'active' }, /users_account_id_key|accounts_pkey/],
    ['pending', { origin: 'local', status: 'pending' }, /users_pending/],
    ['disabled', { origin: 'local', status: 'disabled' }, /users_disabled/],
    ['silenced', { status: 'silenced' }, /accounts_silenced/],
    ['silenced local accounts', { origin: 'local', status: 'silenced' }, /accounts_silenced/],
    ['suspended', { status: 'suspended' }, /accounts_suspended/],
    ['sensitized', { status: 'sensitized' }, /accounts_sensitized/],
    ['roles', { role_ids: ['1', '2'] }, /users_role/],
    ['domain', { origin: 'remote', domain: 'host7.example' }, /accounts_domain/],
    ['user name', { username: 'abcd' }, /accounts_handle/],
    ['user name of local accounts', { origin: 'local', username: 'abcd' }, /accounts_handle/],
    ['display name', { display_name: 'abcd' }, /accounts_display_name_prefix/],
    ['e-mail address', { email: 'abcd' }, /users_email_prefix/],
    ['address', { ip: '10.0.3.7' }, /sign_ins_ip.*sign_ups_network/s],
    ['network', { ip: '10.0.3.0/24' }, /sign_ins_ip.*sign_ups_network/s],
    ['inviter', { invited_by: '1089' }, /sign_ups_invite/],
  ])('the filter %s', async (_, filter, index) => {
    const { username, display_name, email, ip } = filter
    const collected = [username, display_name, email, ip].some((one) => one !== undefined)
    const explained = async (reader: Reader) => reader.rows(moderatedQuery(filter, page, collected))
    const plan = await plansOf(db, explained)
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(/Seq Scan on (accounts|users|sign_ins|sign_ups|invites)/)
  })

  test('a prefix that most accounts match is read in the order of the page', async () => {
    const plan = await plansOf(db, (reader) => reader.rows(windowQuery({ email: '' }, page)))
    expect(plan).not.toMatch(/Sort|Seq Scan on (accounts|users)/)
  })

  test.each<[string, ModeratedFilter]>([
    ['local', { origin: 'local' }],
    ['e-mail address', { email: '' }],
    ['role', { role_ids: ['-99'] }],
    ['users of a large network', { ip: '10.0.0.0/8' }],
  ])('a page far down the filter %s does not read the users before it', async (_, filter) => {
    for (const [bound, condition] of [
      [{ max_id: '20000' }, /account_id < /],
      [{ min_id: '20000' }, /account_id > /],
      [{ since_id: '20000' }, /account_id > /],
    ] as const) {
      const asked = { limit: 100, ...bound }
      expect(await plansOf(db, (reader) => reader.rows(moderatedQuery(filter, asked, false)))).toMatch(condition)
    }
  })

  test('a page of the users of a network whose accounts are old does not read every account', async () => {
    const joins: string[] = []
    await db.tx(async (tx: Tx) => {
      await moderatedIds(tx, { ip: '10.0.0.0/17' }, { limit: 100 })
      joins.push(
        await plansOf(tx, (reader) => reader.rows(moderatedQuery({ ip: '10.0.0.0/17' }, { limit: 100 }, true))),
      )
    })
    expect(joins.join()).not.toMatch(/Merge Join|Hash Join|Seq Scan on (accounts|users)/)
  })

  test('a prefix that many old accounts match does not read the newer accounts', async () => {
    await db.run(sql`update accounts set display_name = 'wave ' || id where id between 1000 and 5000`)
    const found = await db.tx((tx: Tx) => moderatedIds(tx, { display_name: 'wave' }, { limit: 3 }))
    expect(found).toEqual(['5000', '4999', '4998'])
    const plan = await plansOf(db, (reader) =>
      reader.rows(moderatedQuery({ display_name: 'wave' }, { limit: 3 }, true)),
    )
    expect(plan).toMatch(/accounts_display_name_prefix/)
    expect(plan).not.toMatch(/accounts_pkey|Seq Scan/)
  })

  test.each<[string, ModeratedFilter, Sql]>([
    ['user name', { username: 'a' }, sql`lower(username) like 'a%'`],
    [
      'user name of local accounts',
      { username: 'a', origin: 'local' },
      sql`lower(username) like 'a%' and domain is null`,
    ],
    [
      'limited accounts',
      { username: 'a', status: 'silenced' },
      sql`lower(username) like 'a%' and silenced_at is not null`,
    ],
    [
      'domain',
      { display_name: 'b', domain: 'host7.example' },
      sql`lower(display_name) like 'b%' and domain = 'host7.example'`,
    ],
    ['local accounts with a domain', { origin: 'local', domain: 'host7.example' }, sql`false`],
    ['sign-ups of another server', { origin: 'remote', status: 'pending' }, sql`false`],
  ])('pages of %s are those of all matches', async (_, filter, condition) => {
    for (const page of [{ limit: 50 }, { limit: 50, max_id: '20000' }, { limit: 50, min_id: '20000' }]) {
      const range =
        'min_id' in page
          ? sql`and id > 20000 order by id`
          : sql`and id < ${'max_id' in page ? '20000' : '9'.repeat(18)} order by id desc`
      const rows = await db.rows<{ id: string }>(
        sql`select id from accounts where ${condition} and id > 0 and removed_at is null ${range} limit 50`,
      )
      const expected = rows.map(({ id }) => id)
      const found = await db.tx((tx: Tx) => moderatedIds(tx, filter, page))
      expect(found).toEqual('min_id' in page ? expected.toReversed() : expected)
    }
  })

  test('follows of an account are counted by indexes', async () => {
    const plan = await plansOf(db, (reader) => reader.rows(countFollowsQuery('1017')))
    expect(plan).not.toMatch(/Seq Scan/)
  })

  test('users of a large network are checked in the order of the page', async () => {
    const plan = await plansOf(db, (reader) => reader.rows(windowQuery({ ip: '10.0.0.0/8' }, page)))
    expect(plan).not.toMatch(/Sort|Seq Scan/)
    const found = await db.tx((tx: Tx) => moderatedIds(tx, { ip: '10.0.0.0/8' }, { limit: 2 }))
    expect(found).toEqual(['45000', '44997'])
  })
})
