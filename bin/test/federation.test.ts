/** Commands for other servers, on a running service with many deliveries. */

import { showHost } from '@murmuration/contracts/federation'
import { sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [federation] })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)

/** Inserts an activity with deliveries to a host: state → number of deliveries. Returns its id. */
const sent = async (id: number, host: string, states: Record<number, number>): Promise<string> => {
  const [db, uri] = [cluster.db('federation'), `https://here.example/${id}`]
  const first = id * 1_000_000
  await db.run(sql`insert into lanes (id, host) values (${id}, ${host})`)
  await db.run(sql`insert into activities (id, uri, kind, actor_id, seq, object_uri, created_at)
    values (${id}, ${uri}, 'Create', 1, ${id}, ${uri}, now())`)
  for (const [state, count] of Object.entries(states)) {
    const from = first + Number(state) * 100_000
    await db.run(sql`insert into inboxes (id, url, lane_id)
      select ${from}::bigint + n, 'https://' || ${host}::text || '/' || ${from}::bigint + n, ${id}::bigint from generate_series(1, ${count}::int) n`)
    await db.run(sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, at)
      select ${id}::bigint, ${from}::bigint + n, ${id}::bigint, 1, ${id}::bigint, ${state}::smallint, 1, now()
      from generate_series(1, ${count}::int) n`)
  }
  return uri
}

test('all waiting deliveries of a host are discarded, in several requests, and progress is printed', async () => {
  await sent(1, 'xn--mnchen-3ya.example', { 0: 50_010 })
  const said: string[] = []
  const errors = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const planned = await ctl('federation', 'drop', 'MÜNCHEN.example', '--dry-run')
  expect(planned).toContain('50010 waiting')
  const dropped = await ctl('federation', 'drop', 'MÜNCHEN.example').finally(() => errors.mockRestore())
  expect(dropped).toBe('50010 deliveries to xn--mnchen-3ya.example are given up')
  expect(said[0]).toMatch(/^[1-9]\d* given up so far\n$/)
  expect(await ctl('federation', 'hosts', 'München.example')).toContain('xn--mnchen-3ya.example')
  await expect(ctl('federation', 'drop', 'nobody.example')).rejects.toThrow('not found')
})

test('an explanation of a widely delivered status lists refused deliveries first, and counts those not listed', async () => {
  const uri = await sent(2, 'far.example', { 1: 1_200, 2: 3 })
  const text = await ctl('federation', 'explain', uri)
  const lines = text.split('\n')
  expect(lines[0]).toMatch(/1200 delivered, 3 refused$/)
  expect(lines.slice(1, 5).map((line) => line.trim().split(' ')[0])).toEqual([
    'refused',
    'refused',
    'refused',
    'delivered',
  ])
  expect([lines.length, lines.at(-1)]).toEqual([1_002, '  … and 203 more'])
})

test('an explanation lists boosts, statuses that were not sent, and possible reasons', async () => {
  const [status, boost] = ['https://here.example/s/1', 'https://here.example/s/2/activity']
  const count = { pending: 0, delivered: 2, refused: 0, 'gave-up': 0, replaced: 0 }
  const activity = { uri: boost, kind: 'Announce', created_at: '2026-01-01', counts: count, deliveries: [], more: 0 }
  const asking = (answer: unknown) => ({ ...operator, call: async () => answer }) as unknown as Operator
  const some = { activities: [{ ...activity, boost_of: status }], unsent: [status], reasons: ['blocked'] }
  const whole = { ...some, more_boosts: true }
  expect(await dataOf(asking(whole), 'federation', 'explain', status)).toEqual(whole)
  expect((await textOf(asking(some), 'federation', 'explain', status)).split('\n')).toEqual([
    `Announce ${boost} of 2026-01-01, boost of ${status}: 2 delivered`,
    `Nothing was sent of ${status}`,
    'Possible reasons:',
    '  - That server is blocked, or federation is limited to other servers.',
    'docs/runbooks/one-post-not-delivered.md names the checks.',
  ])
  const none = textOf(asking({ activities: [], reasons: ['unknown'] }), 'federation', 'explain', status)
  await expect(none).rejects.toThrow(
    /^Nothing about this address was sent to another server\.\nPossible reasons:\n {2}- No status and no activity/,
  )
})

test('one host is shown with its circuit, the reason why deliveries are held, and its domain block', async () => {
  const db = cluster.db('federation')
  await sent(5, 'held.example', { 0: 2 })
  await db.run(sql`update lanes set failures = 3, paused_until = now() + interval '1 hour' where id = 5`)
  const lines = (await ctl('federation', 'hosts', 'Held.example')).split('\n')
  expect(lines[0]).toMatch(/^held\.example .*, paused until \d{4}-/)
  expect(lines.slice(1)).toEqual([
    'circuit: open',
    'held: it is paused after failures, or as long as it requested',
    'blocked: no',
    'last signed request: never',
    'known accounts: cannot be counted now',
  ])
  await db.run(sql`update lanes set paused_until = now() - interval '1 second' where id = 5`)
  const half = await ctl('federation', 'hosts', 'held.example')
  expect(half).toContain('circuit: half-open')
  expect(half).not.toContain('paused until')
  const asking = { ...operator, call: async () => ({ ...shown, held: 'blocked', blocked: true, rule, ties }) }
  const ties = { accounts: 12, following: 3, followers: 4 }
  const rule = { domain: 'example', severity: 'suspend', reject_media: false, reject_reports: false }
  const shown = await operator.call(showHost, { host: 'held.example' })
  expect(await textOf(asking as unknown as Operator, 'federation', 'hosts', 'held.example')).toContain(
    'blocked: yes, domain block example (suspend)',
  )
  expect(await textOf(asking as unknown as Operator, 'federation', 'hosts', 'held.example')).toContain(
    'known accounts: 12, followed from here: 3, followers of accounts here: 4',
  )
  await expect(ctl('federation', 'hosts', 'nobody.example')).rejects.toThrow('Nothing was ever sent to nobody.example.')
})

test('an explanation for one host lists its deliveries, or states that there are none', async () => {
  const uri = await sent(6, 'one.example', { 1: 1, 2: 1 })
  const lines = (await ctl('federation', 'explain', uri, '--host', 'ONE.example')).split('\n')
  expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['The', 'Looked', 'Create', 'refused', 'delivered'])
  expect(lines.slice(0, 2)).toEqual([
    'The service accounts does not respond: hosts of handles and actor ids were not looked up.',
    'Looked at one.example: it has inboxes of this name',
  ])
  await expect(ctl('federation', 'explain', uri, '--host', 'far.example')).rejects.toThrow(/: not sent to this server/)
})

test('the result of a crawl is printed as sums, as domains and as JSON', async () => {
  const db = cluster.db('federation')
  await db.run(sql`insert into tasks (id, kind, input, dry_run, state, seen, changed, next_at, created_at, updated_at,
      finished_at) values (7, 'crawl-servers', '{}', false, 'done', 301, 300, now(), now(), now(), now())`)
  await db.run(sql`insert into crawled_servers (task_id, host, site, state, due_at, users, statuses)
    select 7, 'a' || n || '.example', 'a', case n when 301 then 'failed' else 'visited' end, now(), 10, n
    from generate_series(1, 301) n`)
  expect(await ctl('domain', 'crawl', '--of', '7')).toContain(
    'Visited 301 servers, 1 failed\nTotal servers: 300\nTotal registered: 3,010',
  )
  const domains = (await ctl('domain', 'crawl', '--of', '7', '--format', 'domains')).split('\n')
  expect([domains.length, domains[0], domains.at(-1)]).toEqual([301, 'a1.example', 'a301.example'])
  expect(JSON.parse(await ctl('domain', 'crawl', '--of', '7', '--format', 'json'))[1]).toMatchObject({
    domain: 'a2.example',
    state: 'visited',
    statuses: 2,
    joined_week: null,
  })
  await expect(ctl('domain', 'crawl', '--of', '8')).rejects.toThrow('not found')
})
