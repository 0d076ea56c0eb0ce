/** Dead letters, queues and events of all services for staff, while some services do not run. */
import { app as accounts } from '@murmuration/accounts'
import {
  browseAuditLog,
  dropDeadLetter,
  listDeadLetters,
  listQueues,
  replayDeadLetter,
  replayEvent,
  showDeadLetter,
} from '@murmuration/contracts/admin'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { app } from '../src/main.js'

/** Services that do not run in this test. */
const AWAY = ['federation', 'notifications']

/** Statuses without the role `links`, so that no process handles its queue. */
const { links: _, ...roles } = statuses.manifest.roles
const withoutLinks = { ...statuses, manifest: { ...statuses.manifest, roles } }

let cluster: Cluster
const owner = viewer('901', { permissions: ALL_PERMISSIONS })
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media, withoutLinks], env: { MEDIA_FFMPEG: 'off' } })
})
afterAll(() => cluster.stop())
beforeEach(async () => {
  for (const service of ['accounts', 'media', 'statuses', 'admin'])
    await cluster.db(service).run(sql`delete from dead_letters`)
})

/** Stores a dead letter, by default of a job that does nothing when it is replayed. */
const deadLetter = (
  service: string,
  id: string,
  { consumer = 'statuses_file-conversation', data = '{"status":"1"}', reason = 'timeout' } = {},
) =>
  cluster.db(service).run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries, at)
    values (${id}, ${consumer}, ${`job.${service}.x`}, ${`m${id}`}, ${data}, ${reason}, 6, '2026-11-26T10:00:00Z')`)
const list = (input: { service?: string; queue?: string; limit?: number; max_id?: string } = {}) =>
  cluster.call(listDeadLetters, input, owner)
const ids = async (input = {}) => (await list(input)).dead_letters.map((one) => one.id)
const entries = async (action: string) => await cluster.call(browseAuditLog, { action, limit: 10 }, owner)

test('dead letters of all services are listed by number, with the services that do not respond', async () => {
  await deadLetter('statuses', '30')
  await deadLetter('media', '20', { consumer: 'media_process' })
  await deadLetter('accounts', '10', {
    consumer: 'accounts_import',
    reason: 'no answer from https://a.example/x?token=1',
  })
  const all = await list()
  expect(all).toMatchObject({ next_max_id: null, unavailable: AWAY })
  expect(all.dead_letters.map((one) => one.id)).toEqual(['statuses-30', 'media-20', 'accounts-10'])
  expect(all.dead_letters[2]).toEqual({
    id: 'accounts-10',
    service: 'accounts',
    consumer: 'accounts_import',
    subject: 'job.accounts.x',
    message_id: 'm10',
    reason: 'no answer from https://a.example/x […]',
    tries: 6,
    at: '2026-11-26T10:00:00.000Z',
  })
  expect(await list({ limit: 2 })).toMatchObject({ next_max_id: '20' })
  expect(await ids({ limit: 2, max_id: '20' })).toEqual(['accounts-10'])
  expect(await list({ service: 'media' })).toMatchObject({ unavailable: [], dead_letters: [{ id: 'media-20' }] })
  expect(await ids({ queue: 'media_process' })).toEqual(['media-20'])
  await expect(list({ service: 'gateway' })).rejects.toMatchObject({ code: 'unprocessable' })
})

test('staff sees a message with private texts hidden, and an operator sees all of it', async () => {
  await deadLetter('statuses', '31', {
    data: '{"status":"7","note":"between us two","uri":"https://a.example/1?key=s"}',
  })
  expect(await cluster.call(showDeadLetter, { id: 'statuses-31' }, owner)).toMatchObject({
    id: 'statuses-31',
    content: { status: '7', note: '[hidden: 14 characters]', uri: 'https://a.example/1 […]' },
    hidden: 1,
  })
  const whole = await cluster.call(showDeadLetter, { id: 'statuses-31' })
  expect(whole).toMatchObject({ content: { note: 'between us two' }, hidden: 0 })
  for (const id of ['statuses-32', 'gateway-1', '31', 'statuses-x'])
    await expect(cluster.call(showDeadLetter, { id }, owner), id).rejects.toMatchObject({ code: 'not_found' })
  await expect(cluster.call(showDeadLetter, { id: 'federation-1' }, owner)).rejects.toMatchObject({
    code: 'unavailable',
  })
})

test('chosen dead letters are replayed, a dry run only lists them, and each is recorded', async () => {
  await deadLetter('statuses', '40')
  await deadLetter('media', '41', { consumer: 'media_unknown' })
  const chosen = ['statuses-40', 'media-41', 'media-42', 'federation-1', 'nonsense']
  const replay = (dry_run: boolean) => cluster.call(replayDeadLetter, { ids: chosen, dry_run }, owner)
  expect(await replay(true)).toMatchObject({
    dead_letters: [{ id: 'media-41' }, { id: 'statuses-40' }],
    done: [],
    missing: ['media-42', 'nonsense'],
    failed: ['federation-1'],
    unavailable: ['federation'],
  })
  expect((await entries('replay_dead_letter')).length).toBe(0)
  expect(await replay(false)).toMatchObject({
    done: ['statuses-40'],
    failed: ['media-41', 'federation-1'],
    missing: ['media-42', 'nonsense'],
    unavailable: ['federation'],
  })
  expect(await ids()).toEqual(['media-41'])
  expect((await entries('replay_dead_letter')).map((one) => [one.actor, one.target_id, one.target])).toEqual([
    ['901', 'statuses-40', 'statuses_file-conversation'],
    ['901', 'media-41', 'media_unknown'],
  ])
})

test('a dead letter that is dropped during its replay is reported as missing', async () => {
  await deadLetter('statuses', '45')
  const db = cluster.db('admin')
  const outcome = await db.tx(async (tx) => {
    // The replay waits for its entry of the audit log, after it has found the dead letter.
    await tx.run(sql`lock table audit_log in exclusive mode`)
    const replayed = cluster.call(replayDeadLetter, { ids: ['statuses-45'] }, owner)
    const waits = sql`select 1 from pg_locks where not granted and relation = 'audit_log'::regclass`
    await expect.poll(() => db.rows(waits)).toHaveLength(1)
    await cluster.db('statuses').run(sql`delete from dead_letters where id = 45`)
    return { replayed }
  })
  expect(await outcome.replayed).toMatchObject({ done: [], failed: [], missing: ['statuses-45'] })
})

test('chosen dead letters are removed, a dry run removes nothing, and each removal is recorded', async () => {
  await deadLetter('statuses', '50')
  await deadLetter('media', '51')
  const drop = (dry_run: boolean) => cluster.call(dropDeadLetter, { ids: ['statuses-50', 'media-51'], dry_run }, owner)
  expect(await drop(true)).toMatchObject({ done: [], failed: [], missing: [] })
  expect(await ids()).toEqual(['media-51', 'statuses-50'])
  expect((await drop(false)).done.toSorted()).toEqual(['media-51', 'statuses-50'])
  expect(await ids()).toEqual([])
  const [entry] = await entries('destroy_dead_letter')
  expect(entry).toMatchObject({ before: { reason: 'timeout', tries: 6, at: '2026-11-26T10:00:00.000Z' } })
  await expect(cluster.call(dropDeadLetter, { ids: [] }, owner)).rejects.toMatchObject({ code: 'unprocessable' })
})

test('queues of each service show the outbox, consumers with their oldest message, and dead letters', async () => {
  await deadLetter('statuses', '60')
  const { services, unavailable } = await cluster.call(listQueues, {}, owner)
  expect(unavailable).toEqual(AWAY)
  expect(services.map((one) => [one.service, one.deadLetters])).toEqual([
    ['media', 0],
    ['accounts', 0],
    ['statuses', 1],
    ['admin', 0],
  ])
  const consumers = services.flatMap((one) => one.consumers)
  expect(consumers.find((one) => one.consumer === 'statuses_file-conversation')).toMatchObject({
    stream: 'JOB_statuses',
    pending: 0,
    oldestSeconds: 0,
  })
})

test('a queue without a process shows the number and age of its messages', async () => {
  await cluster.db('statuses').run(sql`insert into outbox (id, subject, data, created_at)
    values (5, 'job.statuses.preview-link', '{"status":"1"}', now() - interval '3 seconds')`)
  const links = async () => {
    const { services } = await cluster.call(listQueues, {}, owner)
    return services.flatMap((one) => one.consumers).find((one) => one.consumer === 'statuses_preview-link')
  }
  await expect.poll(links).toMatchObject({ pending: 1 })
  const { oldestSeconds } = (await links()) ?? {}
  expect(oldestSeconds).toBeGreaterThan(0)
  expect(oldestSeconds).toBeLessThan(60)
})

test('events are published again by id or by time, and recorded', async () => {
  const replay = (input: { service?: string; ids?: string[]; from?: string; to?: string }) =>
    cluster.call(replayEvent, input, owner)
  await expect(replay({ service: 'gateway', ids: ['1'] })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(replay({ ids: ['1'] })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(replay({ service: 'statuses' })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(replay({ service: 'statuses', from: 'some day' })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(replay({ service: 'federation', ids: ['1'] })).rejects.toMatchObject({ code: 'unavailable' })
  expect(await replay({ service: 'statuses', ids: ['1'], from: '2001-01-01' })).toEqual({ replayed: 0 })
  const [entry] = await entries('replay_events')
  expect(entry).toMatchObject({ target: 'statuses', after: { ids: ['1'], from: '2001-01-01' } })
})
