/** Tests of the account list of staff: which accounts each filter selects, and the index that serves it. */
import {
  deleteModeratedAccount,
  listModeratedAccounts,
  type ModeratedFilter,
  moderateAccount,
} from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { type Database, type Sql, sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localQuery } from '../src/moderated-account/local.store.js'
import { needsLogin } from '../src/moderated-account/rules.js'
import {
  countFollowsQuery,
  internationalEmails,
  moderatedIds,
  moderatedQuery,
  windowQuery,
} from '../src/moderated-account/store.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let db: Database
const ids: Record<string, string> = {}
beforeAll(async () => {
  harness = await startAccounts()
  db = harness.db('accounts') as Database
  for (const [name, role] of [
    ['olga', 'Owner'],
    ['mona', 'Moderator'],
    ['alice'],
    ['Al_bert'],
    ['alxbert'],
    ['waiting'],
    ['off'],
  ] as const)
    ids[name] = (await harness.createAccount(name, role ? { role } : {})).id
  ids.eve = await harness.remote('eve')
  ids.evan = await harness.remote('evan', { domain: 'a.remote.example' })
  await db.run(sql`update users set approved = false where account_id = ${ids.waiting}`)
  await db.run(sql`update users set email = 'mona@xn--mnchen-3ya.example' where account_id = ${ids.mona}`)
  for (const [id, action] of [
    [ids.off, 'disable'],
    [ids.alice, 'silence'],
    [ids.eve, 'suspend'],
    [ids.alxbert, 'sensitive'],
  ] as const)
    await harness.call(moderateAccount, { id, action, stamp: 'staff' })
  await db.run(
    sql`insert into sign_ins (user_id, ip, used_at) select id, '192.0.2.7', now() from users where account_id = ${ids.alice}`,
  )
  await db.run(sql`update sign_ups set ip = '192.0.2.99' where account_id = ${ids.waiting}`)
  await db.run(sql`insert into invites (id, account_id, code, created_at) values (7, ${ids.mona}, 'code', now())`)
  await db.run(sql`update sign_ups set invite_id = 7 where account_id = ${ids.alice}`)
})
afterAll(() => harness.stop())

const list = async (filter: ModeratedFilter, page: object = {}): Promise<string[]> => {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  const { records } = await harness.call(listModeratedAccounts, { filter, page: { limit: 100, ...page } })
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
    ['e-mail address at an internationalised domain', { email: 'mona@MÜNCHEN.example' }, ['mona']],
    ['beginning of it', { email: ' mona@münchen.ex' }, ['mona']],
    ['its ASCII form', { email: 'mona@xn--mnchen' }, ['mona']],
    ['beginning of its first label', { email: 'Mona@M\u00fcn' }, ['mona']],
    ['decomposed beginning of it', { email: 'mona@mu\u0308n' }, ['mona']],
    ['ASCII beginning of it', { email: 'mona@m' }, ['mona']],
    ['beginning of another label', { email: 'mona@mon\u00fc' }, []],
    ['beginning of another label with the same ASCII letters', { email: 'mona@mn\u00fc' }, []],
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

  test.each<[string, () => ModeratedFilter]>([
    ['all local accounts', () => ({ origin: 'local' })],
    ['local accounts by ids', () => ({ origin: 'local', ids: here.map((name) => ids[name] ?? '') })],
    ['accounts by ids', () => ({ ids: here.map((name) => ids[name] ?? '') })],
  ])('pages of %s have no gaps and no overlap in both directions', async (_, filterOf) => {
    const filter = filterOf()
    const first = await list(filter, { limit: 3 })
    const rest = await list(filter, { max_id: ids[first.at(-1) ?? ''] })
    expect([...first, ...rest]).toEqual(here)
    expect(await list(filter, { max_id: ids[here.at(-1) ?? ''] })).toEqual([])
    expect(await list(filter, { limit: 2, min_id: ids.alice })).toEqual(['alxbert', 'Al_bert'])
    expect(await list(filter, { limit: 2, since_id: ids.alice })).toEqual(['off', 'waiting'])
  })
})

test('a suspended account is deleted, any other one is not', async () => {
  const { id } = await harness.createAccount('victor')
  expect(await harness.call(deleteModeratedAccount, { id })).toEqual({ changed: false })
  await harness.call(moderateAccount, { id, action: 'suspend', stamp: 'staff' })
  expect(await harness.call(deleteModeratedAccount, { id })).toEqual({ changed: true })
  expect(await harness.call(deleteModeratedAccount, { id })).toEqual({ changed: false })
  expect(await list({ ids: [id] })).toEqual([])
  expect(await harness.call(deleteModeratedAccount, { id: ids.eve ?? '' })).toEqual({ changed: true })
  expect(await list({ origin: 'remote' })).toEqual(['evan'])
})

describe('S-151 an index serves each filter', () => {
  const page = { limit: 100, max_id: '9000000' }
  beforeAll(async () => {
    // Only the owner of the tables may analyse them.
    await harness.fillTables(
      'accounts',
      sql`insert into accounts (id, username, domain, uri, url, display_name, created_at,
        silenced_at, suspended_at, sensitized_at)
      select n, md5(n::text), case when n % 3 > 0 then 'host' || n % 500 || '.example' end, 'https://x/' || n,
        'https://x/@' || n, md5(n::text), now(), case when n % 3000 = 0 then now() end,
        case when n % 3000 = 1 then now() end, case when n % 3000 = 2 then now() end
      from generate_series(1000, 45000) n`,
      sql`insert into users (id, account_id, email, role_id, approved, disabled, confirmed_at, created_at)
      select id, id, md5(id::text) || '@mail.example', case when id % 900 = 0 then 1 end, id % 1200 > 0, id % 1500 = 0,
        now(), now() from accounts where domain is null and id < 100000`,
      sql`insert into sign_ins (user_id, ip, used_at)
      select id, '10.0.0.0'::inet + id, now() from users where id < 100000`,
      sql`insert into invites (id, account_id, code, created_at)
      select id, id, id, now() from users where id % 9 = 0 and id < 100000`,
      sql`insert into sign_ups (user_id, account_id, ip, invite_id, waiting)
      select id, account_id, '10.0.0.0'::inet + id, case when id % 100 = 0 then id / 9 * 9 end, false
      from users where id < 100000 and (id % 100 > 0 or exists (select 1 from invites i where i.id = users.id / 9 * 9))`,
      sql`insert into follows (id, account_id, target_id, account_local, created_at)
      select n, n, n + 1, n % 3 = 0, now() from generate_series(1000, 20000) n`,
      sql`analyze`,
    )
  })

  const isUnordered = ({ username, display_name }: ModeratedFilter) =>
    username !== undefined || display_name !== undefined

  /** Plans of all queries that may select a page. */
  const plansFor = (filter: ModeratedFilter): Promise<string[]> => {
    const queries = needsLogin(filter)
      ? [localQuery(filter, page)]
      : [moderatedQuery(filter, page, isUnordered(filter))]
    return Promise.all(queries.map((query) => plansOf(db, (reader) => reader.rows(query))))
  }

  test.each<[string, ModeratedFilter, RegExp]>([
    ['nothing', {}, /Index (Only )?Scan Backward using accounts_pkey/],
    ['local', { origin: 'local' }, /users_account_id_key|accounts_pkey/],
    ['remote', { origin: 'remote' }, /accounts_pkey/],
    ['active', { origin: 'local', status: 'active' }, /users_account_id_key|accounts_pkey/],
    ['pending', { origin: 'local', status: 'pending' }, /users_pending/],
    ['disabled', { origin: 'local', status: 'disabled' }, /users_disabled/],
    ['silenced', { status: 'silenced' }, /accounts_silenced/],
    ['silenced local accounts', { origin: 'local', status: 'silenced' }, /accounts_silenced_local/],
    ['suspended local accounts', { origin: 'local', status: 'suspended' }, /accounts_suspended/],
    ['sensitized local accounts', { origin: 'local', status: 'sensitized' }, /accounts_sensitized_local/],
    ['suspended', { status: 'suspended' }, /accounts_suspended/],
    ['sensitized', { status: 'sensitized' }, /accounts_sensitized/],
    ['roles', { role_ids: ['1', '2'] }, /users_role_account/],
    ['domain', { origin: 'remote', domain: 'host7.example' }, /accounts_domain/],
    ['user name', { username: 'abcd' }, /accounts_handle/],
    ['user name of local accounts', { origin: 'local', username: 'abcd' }, /accounts_local_username/],
    ['display name of local accounts', { origin: 'local', display_name: 'abcd' }, /accounts_local_display_name/],
    ['display name', { display_name: 'abcd' }, /accounts_display_name_prefix/],
    ['e-mail address', { email: 'abcd' }, /users_email_account/],
    ['address', { ip: '10.0.3.7' }, /sign_ins_ip.*sign_ups_network/s],
    ['network', { ip: '10.0.3.0/24' }, /sign_ins_ip.*sign_ups_network/s],
    ['inviter', { invited_by: '1089' }, /sign_ups_invite_account/],
  ])('the filter %s', async (_, filter, index) => {
    const plan = (await plansFor(filter)).join('\n')
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(/Seq Scan on (accounts|users|sign_ins|sign_ups|invites)/)
  })

  test('an index serves e-mail addresses whose internationalised domains are compared', async () => {
    const emails = Array.from({ length: 1000 }, (_, n) => `ada@xn--mnchen-3ya.example${n}`)
    const plan = await plansOf(db, async (reader) => {
      await internationalEmails(reader, 'ada@m\u00fcn')
      await reader.rows(localQuery({ email: 'ada@xn--mn-xka', emails }, page))
    })
    expect(plan.match(/users_email/g)?.length).toBeGreaterThan(1)
    expect(plan).not.toMatch(/Seq Scan on (accounts|users)/)
  })

  test('a prefix that most accounts match is read in the order of the page', async () => {
    const plan = await plansOf(db, (reader) => reader.rows(windowQuery({ username: '' }, page)))
    expect(plan).not.toMatch(/Sort|Seq Scan on (accounts|users)/)
  })

  test.each<[string, ModeratedFilter]>([
    ['local', { origin: 'local' }],
    ['e-mail address', { email: 'a' }],
    ['role', { role_ids: ['-99'] }],
    ['inviter', { invited_by: '1089' }],
    ['users of a large network', { ip: '10.0.0.0/8' }],
  ])('a page far down the filter %s does not read the users before it', async (_, filter) => {
    for (const [bound, condition] of [
      [{ max_id: '20000' }, /account_id < /],
      [{ min_id: '20000' }, /account_id > /],
      [{ since_id: '20000' }, /account_id > /],
    ] as const) {
      const asked = { limit: 100, ...bound }
      expect(await plansOf(db, (reader) => reader.rows(localQuery(filter, asked)))).toMatch(condition)
    }
  })

  test('a page of the users of a network whose accounts are old does not read every account', async () => {
    await db.tx(async (tx: Tx) => {
      const found = await moderatedIds(tx, { ip: '10.0.16.0/23' }, { limit: 2 })
      expect(found).toEqual(['4605', '4602'])
      const plan = await plansOf(tx, (reader) => reader.rows(localQuery({ ip: '10.0.16.0/23' }, { limit: 100 })))
      expect(plan).not.toMatch(/Merge Join|Seq Scan on (accounts|users|sign)/)
    })
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
    const filter: ModeratedFilter = { ip: '10.0.0.0/8' }
    const query = localQuery(filter, page, { network: 'lookup', limit: 1_000 })
    expect(await plansOf(db, (reader) => reader.rows(query))).not.toMatch(/Sort|Seq Scan/)
    for (const how of [{ network: 'lookup', max: 1_000 }, { network: 'set' }] as const) {
      const rows = await db.rows<{ id: string }>(localQuery(filter, { limit: 2 }, how))
      expect(rows.map((row) => row.id)).toEqual(['45000', '44997'])
    }
  })

  /** Filters and the condition of each on `a` (accounts) and `u` (users). */
  const conditions: [string, ModeratedFilter, Sql][] = [
    ['local accounts', { origin: 'local' }, sql`a.domain is null`],
    ['remote accounts', { origin: 'remote' }, sql`a.domain is not null`],
    ['active accounts', { status: 'active' }, sql`a.suspended_at is null`],
    ['pending accounts', { status: 'pending' }, sql`not u.approved`],
    ['disabled accounts', { status: 'disabled' }, sql`u.disabled and a.suspended_at is null`],
    ['limited accounts', { status: 'silenced' }, sql`a.silenced_at is not null`],
    ['suspended accounts', { status: 'suspended' }, sql`a.suspended_at is not null`],
    ['sensitized accounts', { status: 'sensitized' }, sql`a.sensitized_at is not null`],
    ['usable accounts', { usable: true }, sql`not u.disabled and a.suspended_at is null`],
    ['a role', { role_ids: ['1'] }, sql`u.role_id = 1`],
    ['a role or none', { role_ids: ['1', '-99'] }, sql`u.id is not null and coalesce(u.role_id, 1) = 1`],
    ['staff', { staff: true }, sql`u.role_id in (1, 2, 3)`],
    [
      'an inviter',
      { invited_by: '1089' },
      sql`u.id in (select s.user_id from sign_ups s join invites i on i.id = s.invite_id where i.account_id = 1089)`,
    ],
    ['a domain', { domain: 'host7.example' }, sql`a.domain = 'host7.example'`],
    ['a frequent user name', { username: 'A' }, sql`lower(a.username) like 'a%'`],
    ['a rare user name', { username: 'abc' }, sql`lower(a.username) like 'abc%'`],
    ['a frequent display name', { display_name: 'b' }, sql`lower(a.display_name) like 'b%'`],
    ['a rare display name', { display_name: 'ABC' }, sql`lower(a.display_name) like 'abc%'`],
    ['a frequent e-mail address', { email: 'a' }, sql`lower(u.email) like 'a%'`],
    ['a rare e-mail address', { email: 'abc' }, sql`lower(u.email) like 'abc%'`],
    [
      'a network',
      { ip: '10.0.16.0/23' },
      sql`u.id in (select user_id from sign_ins where ip <<= '10.0.16.0/23' union
        select user_id from sign_ups where ip <<= '10.0.16.0/23')`,
    ],
    ['an address', { ip: '10.0.17.4' }, sql`u.id in (select user_id from sign_ins where ip = '10.0.17.4')`],
  ]
  const kindOf = (filter: ModeratedFilter): string => Object.keys(filter).join()
  const pairs = conditions.flatMap(([name, filter, condition], at) =>
    conditions
      .slice(at + 1)
      .filter(([, other]) => kindOf(other) !== kindOf(filter))
      .map(([also, other, too]) => ({
        name: `${name}, ${also}`,
        filter: { ...filter, ...other },
        both: sql`${condition} and ${too}`,
      })),
  )

  test.each(pairs)('an index serves $name, and the accounts are those that meet both', async ({ filter, both }) => {
    const rows = await db.rows<{ id: string }>(sql`select a.id from accounts a left join users u on u.account_id = a.id
      where a.id > 0 and a.removed_at is null and ${both} order by a.id desc limit 10`)
    const asked = { limit: 10 }
    const [found, plan] = await db.tx(async (tx: Tx) => {
      const ids = await moderatedIds(tx, filter, asked)
      const query = needsLogin(filter) ? localQuery(filter, asked) : moderatedQuery(filter, asked, isUnordered(filter))
      return [ids, await plansOf(tx, (reader) => reader.rows(query))]
    })
    expect(found).toEqual(rows.map((row) => row.id))
    expect(plan).not.toMatch(/Seq Scan on (accounts|users|sign_ins|sign_ups|invites)/)
  })

  const reader = (failed: () => Promise<never>): Tx =>
    ({ rows: failed, row: failed, run: () => Promise.resolve(0) }) as Partial<Tx> as Tx

  test.each<[ModeratedFilter, string]>([
    [{ username: 'a', origin: 'local' }, 'more letters of the user name'],
    [
      { username: 'a', display_name: 'b', status: 'active' },
      'more letters of the user name, more letters of the name, a domain',
    ],
    [{ email: 'a', ip: '10.0.0.0/8' }, 'more letters of the e-mail address, a smaller range of IP addresses'],
    [{ ip: '10.0.0.1', staff: true }, 'the first letters of a user name'],
    [{ domain: 'host7.example', status: 'active' }, 'the first letters of a user name'],
  ])('a search that takes too long is refused with advice: %j', async (filter, advice) => {
    const slow = reader(() =>
      Promise.reject(fail('timeout', 'The request took too long, please try again', { cause: { code: '57014' } })),
    )
    await expect(moderatedIds(slow, filter, { limit: 1 })).rejects.toMatchObject({
      status: 422,
      message: `Too many accounts match. Search again with ${advice}`,
    })
  })

  test.each([
    ['a deadline that is over', fail('timeout', 'The request took too long, please try again', { retryAfter: 2 })],
    ['a database that is away', fail('unavailable', 'Please try again', { cause: { code: '57P01' } })],
    ['a fault of the query', new Error('syntax error')],
  ])('%s is not reported as too many accounts', async (_, failure) => {
    const failed = reader(() => Promise.reject(failure))
    await expect(moderatedIds(failed, { username: 'a' }, { limit: 1 })).rejects.toBe(failure)
  })

  test.each<[ModeratedFilter]>([[{ username: 'a', status: 'active' }], [{ username: 'a', ip: '10.0.0.0/8' }]])(
    'all statements of a search share one time limit: %j',
    async (filter) => {
      const slow = (query: Sql) => sql`with waited as materialized (select pg_sleep(0.4))
      select found.* from waited left join (${query}) found on true`
      const search = db.tx((tx: Tx) =>
        moderatedIds(
          {
            rows: (query: Sql) => tx.rows(slow(query)),
            row: (query: Sql) => tx.row(slow(query)),
            run: (query: Sql) => tx.run(query),
          } as Partial<Tx> as Tx,
          filter,
          { limit: 1 },
          600,
        ),
      )
      await expect(search).rejects.toMatchObject({ status: 422 })
    },
  )
})
