/**
 * Every operation of staff, requested anonymously, by an account without a role, with each single permission, on a target of
 * higher rank, and by disabled or suspended staff. The status is right, and a refused request writes nothing.
 *
 * `SWEEP_TABLE=<file>` writes a table of the statuses by group of operations.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { PERMISSION_NAMES, PERMISSIONS, type PermissionName } from '@murmuration/contracts/permissions'
import { routedOperations } from '@murmuration/contracts/registry'
import { name as identifier, sql } from '@murmuration/db'
import { mapLimited } from '@murmuration/flow'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'

interface Asked {
  operation: AnyOperation
  route: Route
  name: string
}
/** Operations that require an `admin:` scope. */
const staff: Asked[] = routedOperations()
  .filter(({ viewer }) => viewer.scopes.some((scope) => scope.startsWith('admin:')))
  .flatMap((operation) => operation.http.map((route) => ({ operation, route, name: `${route.method} ${route.path}` })))
const guarded = staff.filter(({ operation }) => operation.viewer.permission !== undefined)
const SCOPES = 'read write follow push profile admin:read admin:write'
/** Endpoints of the upstream API. */
const TABLE = new URL('../../packages/contracts/test/fixtures/client-endpoints.tsv', import.meta.url)
/** An id below those of all rows, so that no row has it. */
const ABSENT = '7'

/**
 * Operations with a field about an account or a user name, and the field of an account that must have a lower rank. Null
 * if the operation creates the account, reads it, assigns work to it, or copies files of remote accounts again.
 */
const NAMING: Readonly<Record<string, string | null>> = {
  'PATCH /api/murmuration/v1/admin/username_blocks/:id': null,
  'POST /api/murmuration/v1/admin/accounts': null,
  'POST /api/murmuration/v1/admin/feeds/build': 'account_id',
  'POST /api/murmuration/v1/admin/feeds/clear': 'account_id',
  'POST /api/murmuration/v1/admin/media/refresh': null,
  'POST /api/murmuration/v1/admin/reports/:id/assign': null,
  'POST /api/murmuration/v1/admin/username_blocks': null,
  'POST /api/v1/admin/dimensions': null,
  'POST /api/v1/admin/measures': null,
  'PUT /api/murmuration/v1/admin/username_blocks/:id': null,
}

let cluster: Cluster
const tokens = new Map<string, string>()
const ids = new Map<string, string>()

const make = async (username: string, role?: string): Promise<string> => {
  const email = `${username}@mail.example`
  const { id } = await cluster.call(createAccountByOperator, {
    username,
    email,
    confirmed: true,
    ...(role && { role }),
  })
  ids.set(username, id)
  tokens.set(username, (await cluster.call(createTokenByOperator, { username, scopes: SCOPES })).token)
  return id
}
const accounts = () => cluster.db('accounts')

/** Statuses by group of operations and kind of caller, with their numbers. */
const tally = new Map<string, Map<string, Map<number, number>>>()
const CALLERS = ['anonymous', 'ordinary', 'disabled or suspended', 'other permission', 'own permission', 'higher rank']
type Caller = (typeof CALLERS)[number]
const groupOf = ({ route }: Asked): string => route.path.replace(/^(.*?\/admin\/[^/]+).*$/, '$1')
const count = (asked: Asked, caller: Caller, status: number): void => {
  const callers = tally.get(groupOf(asked)) ?? new Map<Caller, Map<number, number>>()
  const statuses = callers.get(caller) ?? new Map<number, number>()
  tally.set(groupOf(asked), callers.set(caller, statuses.set(status, (statuses.get(status) ?? 0) + 1)))
}
/** Statuses other than 403 by their class, because the ids and bodies of the requests are arbitrary. */
const textOf = (statuses: ReadonlyMap<number, number> = new Map()): string => {
  const by = (which: (status: number) => boolean) =>
    [...statuses].reduce((sum, [status, times]) => sum + (which(status) ? times : 0), 0)
  const refused = by((status) => status === 403)
  const passed = by((status) => status !== 403 && status < 500)
  const failed = by((status) => status >= 500)
  return [refused && `${refused} × 403`, passed && `${passed} passed`, failed && `${failed} failed`]
    .filter(Boolean)
    .join(', ')
}
const tableOf = (): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const rows = [...tally]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, callers]) => {
      const routes = guarded.filter((asked) => groupOf(asked) === group).length
      return line([group, String(routes), ...CALLERS.map((caller) => textOf(callers.get(caller)))])
    })
  return line(['group', 'routes', ...CALLERS]) + line(['group', ...CALLERS, ''].map(() => '---')) + rows.join('')
}

beforeAll(async () => {
  cluster = await startCluster({ apps: await loadAll(), env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off' } })
  const roles = Object.entries(PERMISSIONS).map(([name, bit], i) => ({ id: 100 + i, name: `only ${name}`, bit }))
  for (const { id, name, bit } of roles)
    await accounts().run(sql`insert into roles (id, name, position, permissions) values (${id}, ${name}, 50, ${bit})`)
  // Every permission except `administrator`.
  const all = Object.values(PERMISSIONS).reduce((sum, bit) => sum | bit, 0) & ~PERMISSIONS.administrator
  await accounts().run(sql`insert into roles (id, name, position, permissions) values (90, 'all', 50, ${all})`)
  await make('ordinary')
  await make('chief', 'all')
  for (const [i, name] of PERMISSION_NAMES.entries()) await make(`bit${i}`, `only ${name}`)
  await make('equal', 'all')
  for (const name of ['disabled', 'suspended', 'target', 'restricted', 'pending']) await make(name, 'Owner')
  await accounts().run(sql`update users set disabled = true where account_id = ${ids.get('disabled')}`)
  const suspend = (name: string) =>
    accounts().run(sql`update accounts set suspended_at = now(), suspended_by = 'staff', silenced_at = now(),
      silenced_by = 'staff', sensitized_at = now() where id = ${ids.get(name)}`)
  await suspend('suspended')
  await suspend('restricted')
  await accounts().run(sql`update users set disabled = true where account_id = ${ids.get('restricted')}`)
  await accounts().run(sql`update users set approved = false where account_id = ${ids.get('pending')}`)
  await cluster.waitForIdle()
})
afterAll(async () => {
  if (process.env.SWEEP_TABLE) writeFileSync(process.env.SWEEP_TABLE, tableOf())
  await cluster?.stop()
})

/** Permissions of an operation, of which one is required. */
const permissionsOf = ({ operation }: Asked): string[] => (operation.viewer.permission ?? '').split('|')

interface StubResponse {
  status: number
  error: string
}
/** Sends a request. Repeats it while the edge sheds load, which happens on a busy machine. */
const sendRequest = async (
  { route }: Asked,
  who: string | null,
  id = ABSENT,
  body: object = {},
): Promise<StubResponse> => {
  const answer = await fetch(cluster.origin + route.path.replace(/[:*]\w+/g, id), {
    method: route.method,
    headers: {
      ...(who === null ? {} : { authorization: `Bearer ${tokens.get(who)}` }),
      ...(route.method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(route.method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status === 503 || answer.status === 504) {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return sendRequest({ route } as Asked, who, id, body)
  }
  return { status: answer.status, error: text.startsWith('{') ? String(JSON.parse(text).error ?? '') : '' }
}

/** Responses by name of the route. Requests are sent a few at a time. */
const each = async (
  routes: readonly Asked[],
  one: (asked: Asked) => Promise<StubResponse>,
  caller?: Caller,
): Promise<[string, StubResponse][]> =>
  mapLimited(routes, 6, async (route) => {
    const answer = await one(route)
    if (caller) count(route, caller, answer.status)
    return [route.name, answer]
  })
const otherThan = (answers: [string, StubResponse][], status: number, error: string) =>
  answers.filter(([, one]) => one.status !== status || one.error !== error)

/** Tables that services write independently of requests. */
const OWN_PACE =
  /^(outbox|consumed|leases?|reported_deliveries|sign_ins|active_weeks|day_count.*|pgmigrations.*|ticks?)$/

/** Number of rows of every table, and the columns of accounts that staff changes. */
const written = async (): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {}
  for (const service of ['accounts', 'admin', 'statuses', 'notifications', 'federation', 'media']) {
    const db = cluster.db(service)
    const tables = await db.rows<{ name: string }>(sql`select table_name as name from information_schema.tables
      where table_schema = ${service} and table_type = 'BASE TABLE' order by table_name`)
    for (const { name } of tables.filter((table) => !OWN_PACE.test(table.name)))
      found[`${service}.${name}`] = (
        await db.row<{ n: number }>(sql`select count(*)::int as n from ${identifier(name)}`)
      )?.n
  }
  found.roles = await accounts().rows(sql`select * from roles order by id`)
  found.users = await accounts().rows(sql`select id, role_id, approved, disabled, email from users order by id`)
  found.states = await accounts().rows(
    sql`select id, suspended_at, silenced_at, sensitized_at, removed_at, memorial from accounts order by id`,
  )
  found.settings = await cluster.db('admin').rows(sql`select name, value from settings order by name`)
  return found
}

/** Runs requests that must all be refused, and asserts that the stored rows are the same before and after. */
const writesNothing = async (work: () => Promise<void>): Promise<void> => {
  const before = await written()
  await work()
  await cluster.waitForIdle()
  expect(await written()).toEqual(before)
}

test('the contracts have operations of staff, each with an admin scope', () => {
  expect(guarded.length).toBeGreaterThan(60)
  expect(staff.filter(({ operation }) => !/^admin:(read|write)$/.test(operation.viewer.scopes[0] ?? ''))).toEqual([])
  // A route below an administration path, or with a permission, is in the sweep.
  const isOfStaff = (route: Route, operation: AnyOperation) =>
    /\/admin(\/|$)/.test(route.path) || operation.viewer.permission !== undefined
  const routes = routedOperations().flatMap((operation) =>
    operation.http
      .filter((route) => isOfStaff(route, operation))
      .map((route) => `${route.method} ${route.path.replace(/:\w+/g, '{}')}`),
  )
  const swept = staff.map(({ name }) => name.replace(/:\w+/g, '{}'))
  expect(swept.toSorted()).toEqual(routes.toSorted())
  const upstream = readFileSync(TABLE, 'utf8')
    .split('\n')
    .map((row) => row.split('\t'))
    .filter(([, path = '']) => /^\/api\/v\d\/admin\//.test(path))
    .map(([method, path = '']) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(upstream.length).toBeGreaterThan(60)
  expect(upstream.filter((name) => !swept.includes(name))).toEqual([])
  const unknown = guarded.filter((asked) => !permissionsOf(asked).every((name) => name in PERMISSIONS))
  expect(unknown.map((one) => one.name)).toEqual([])
})

test('S-175 anonymous and ordinary callers are refused, and nothing is written', () =>
  writesNothing(async () => {
    const refusal = [403, 'This action is not allowed'] as const
    expect(otherThan(await each(guarded, (asked) => sendRequest(asked, null), 'anonymous'), ...refusal)).toEqual([])
    expect(otherThan(await each(guarded, (asked) => sendRequest(asked, 'ordinary'), 'ordinary'), ...refusal)).toEqual(
      [],
    )
  }))

test('A066 disabled and suspended staff is refused, and nothing is written', () =>
  writesNothing(async () => {
    for (const who of ['disabled', 'suspended'])
      expect(
        otherThan(
          await each(guarded, (asked) => sendRequest(asked, who), 'disabled or suspended'),
          403,
          'Your login is currently disabled',
        ),
      ).toEqual([])
  }))

test('S-175 any other permission than the one that an operation needs is refused, and nothing is written', () =>
  writesNothing(async () => {
    for (const [i, name] of PERMISSION_NAMES.entries()) {
      if (name === 'administrator') continue
      const others = guarded.filter((asked) => !permissionsOf(asked).includes(name))
      const answers = await each(others, (asked) => sendRequest(asked, `bit${i}`), 'other permission')
      expect([name, otherThan(answers, 403, 'This action is not allowed')]).toEqual([name, []])
    }
  }))

test('S-175 each permission that an operation accepts suffices, and so does `administrator`', async () => {
  const bitOf = (name: string) => `bit${PERMISSION_NAMES.indexOf(name as PermissionName)}`
  for (const who of [
    (asked: Asked) => bitOf(permissionsOf(asked)[0] ?? ''),
    (asked: Asked) => bitOf(permissionsOf(asked).at(-1) ?? ''),
    () => bitOf('administrator'),
  ]) {
    const answers = await each(guarded, (asked) => sendRequest(asked, who(asked)), 'own permission')
    expect(answers.filter(([, { status }]) => [401, 403].includes(status) || status >= 500)).toEqual([])
    const reads = guarded.filter(({ route }) => route.method === 'GET' && !route.path.includes(':'))
    const shown = new Map(answers)
    expect(reads.filter(({ name }) => shown.get(name)?.status !== 200).map((one) => one.name)).toEqual([])
  }
})

test('A067 operations on accounts and roles of an equal or a higher rank are refused, and nothing is written', () =>
  writesNothing(async () => {
    const onAccounts = guarded.filter(
      ({ route }) => route.method !== 'GET' && /\/admin\/accounts\/:id/.test(route.path),
    )
    const onRoles = guarded.filter(({ route }) => route.method !== 'GET' && /\/admin\/roles\/:id/.test(route.path))
    expect(onAccounts.length).toBeGreaterThan(8)
    expect(onRoles.length).toBeGreaterThan(2)
    // The second one is an administrator, whose permission includes every other one.
    for (const [target, by] of ['target', 'restricted', 'pending', 'equal'].flatMap((one) => [
      [one, 'chief'] as const,
      [one, 'bit0'] as const,
    ]))
      for (const type of ['disable', 'sensitive', 'silence', 'suspend']) {
        const answers = await each(
          onAccounts,
          (asked) =>
            sendRequest(asked, by, ids.get(target), { type, role_id: '90', text: 'x', email: 'x@mail.example' }),
          'higher rank',
        )
        expect([target, by, answers.filter(([, { status }]) => status !== 403)]).toEqual([target, by, []])
      }
    const fieldsOf = ({ operation }: Asked) =>
      Object.keys((operation.input as { shape?: object }).shape ?? {}).filter((key) => /account|user|owner/.test(key))
    const named = guarded.filter((one) => one.route.method !== 'GET' && fieldsOf(one).length > 0)
    expect(named.map(({ name }) => name).toSorted()).toEqual(Object.keys(NAMING).toSorted())
    const ranked = named.filter(({ name }) => NAMING[name] !== null)
    for (const [target, by] of [
      ['target', 'chief'] as const,
      ['equal', 'chief'] as const,
      ['target', 'bit0'] as const,
    ]) {
      const body = ({ name }: Asked) => ({ [NAMING[name] ?? '']: ids.get(target) })
      const answers = await each(ranked, (asked) => sendRequest(asked, by, ABSENT, body(asked)), 'higher rank')
      expect([target, by, otherThan(answers, 403, 'This action is not allowed')]).toEqual([target, by, []])
    }
    for (const role of ['90', '2', '3']) {
      const answers = await each(
        onRoles,
        (asked) => sendRequest(asked, 'chief', role, { name: 'Mine', permissions: [] }),
        'higher rank',
      )
      expect([role, otherThan(answers, 403, 'This action is not allowed')]).toEqual([role, []])
    }
  }))

test('D040 hostile values in every field of an administrator cause no 5xx', async () => {
  const shapeOf = ({ operation }: Asked) => Object.keys((operation.input as { shape?: object }).shape ?? {})
  const failed: string[] = []
  for (const value of ['\u0000', "'; select 1 --", '9'.repeat(40), '-1', [['x']], { a: 1 }]) {
    const answers = await each(staff, (asked) => {
      const fields = Object.fromEntries(shapeOf(asked).map((key) => [key, value]))
      const query = new URLSearchParams(Object.fromEntries(shapeOf(asked).map((key) => [key, String(value)])))
      const isRead = asked.route.method === 'GET'
      const route = isRead ? { ...asked.route, path: `${asked.route.path}?${query}` } : asked.route
      return sendRequest({ ...asked, route }, 'bit0', ABSENT, fields)
    })
    failed.push(
      ...answers.filter(([, { status }]) => status >= 500).map(([name]) => `${name} ${JSON.stringify(value)}`),
    )
  }
  expect(failed).toEqual([])
})

test('operations of staff that everyone may call write nothing and do not fail', () =>
  writesNothing(async () => {
    const open = staff.filter(({ operation }) => operation.viewer.permission === undefined)
    for (const who of [null, 'ordinary', 'bit0']) {
      const answers = await each(open, (asked) => sendRequest(asked, who))
      expect(answers.filter(([, { status }]) => status >= 500)).toEqual([])
    }
  }))
