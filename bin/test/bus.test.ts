/** Commands that read the state of the bus, with the operator's login and permissions, and texts about missing members. */
import { app as accounts } from '@murmuration/accounts'
import { app as media } from '@murmuration/media'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, media], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

test('streams are listed with size, limit and copies, all or those of one service', async () => {
  const names = (text: string) => text.split('\n').map((line) => line.split(' ')[0])
  const all = await textOf(operator, 'bus', 'streams')
  expect(names(all)).toEqual(expect.arrayContaining(['EVT_accounts', 'JOB_accounts', 'EVT_media', 'JOB_media']))
  const own = await textOf(operator, 'bus', 'streams', '--service', 'media')
  expect(names(own)).toEqual(['EVT_media', 'JOB_media'])
  expect(own).toMatch(/^EVT_media +\d+ messages, \d+\.\d of \d+\.\d MiB, 1 copy$/m)
  expect(await dataOf(operator, 'bus', 'streams', '--service', 'media')).toMatchObject({
    streams: [{ config: { name: 'EVT_media' } }, { config: { name: 'JOB_media' } }],
    missing: [],
  })
})

test('consumers are listed with open pulls, all, those of one service, or one by its name', async () => {
  const all = await textOf(operator, 'bus', 'consumers')
  expect(all).toMatch(/^EVT_accounts +\S+ +pending 0, in progress 0, open pulls \d+, no message yet, 1 copy$/m)
  const of = (text: string) => [...new Set(text.split('\n').map((line) => line.split(' ')[0]))]
  expect(of(all).length).toBeGreaterThan(2)
  expect(of(await textOf(operator, 'bus', 'consumers', '--service', 'media'))).toEqual(['JOB_media'])
  const name = /^JOB_media +(\S+)/m.exec(all)?.[1] ?? ''
  expect(await textOf(operator, 'bus', 'consumers', name)).toContain(` ${name} `)
  const unknown = await runWords(operator, 'bus', 'consumers', 'media_nothing')
  expect([unknown.status, unknown.error]).toEqual([1, 'There is no consumer media_nothing.'])
})

test('processes that respond are listed, and a service without a process sets the exit status', async () => {
  const own = await textOf(operator, 'bus', 'services', 'accounts')
  expect(own).toMatch(/^accounts: \S+, version \S+, since [\dT:-]+Z, [1-9]\d* operations$/)
  const { status, text } = await runWords(operator, 'bus', 'services')
  expect(status).toBe(1)
  expect(text).toContain('\nstatuses: no process responds\n')
  expect((await runWords(operator, 'bus', 'services', 'gateway')).status).toBe(2)
})

/** An operator whose bus gives these responses by subject. */
const withBus = (responses: Record<string, object>): Operator => ({
  ...operator,
  askBus: async (subject) => responses[subject],
})
const stream = (name: string, cluster: object) => ({
  config: { name, max_bytes: 1_048_576, num_replicas: 3 },
  state: { messages: 4, bytes: 524_288 },
  cluster,
})
const replica = (name: string, current: boolean, offline = false) => ({ name, current, offline, active: 1 })

test('copies that are missing and streams without a leader or response are named', async () => {
  const asked = withBus({
    '$JS.API.STREAM.LIST': {
      total: 4,
      offset: 0,
      limit: 256,
      streams: [
        stream('EVT_a', { leader: 'nats-1', replicas: [replica('nats-0', true), replica('nats-2', true)] }),
        stream('EVT_b', { leader: 'nats-1', replicas: [replica('nats-0', false, true), replica('nats-2', false)] }),
        stream('EVT_c', { replicas: [replica('nats-0', true), replica('nats-1', false, true)] }),
      ],
      missing: ['EVT_d'],
    },
  })
  expect((await textOf(asked, 'bus', 'streams')).split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    'EVT_a 4 messages, 0.5 of 1.0 MiB, leader nats-1, 3 of 3 copies current',
    'EVT_b 4 messages, 0.5 of 1.0 MiB, leader nats-1, 1 of 3 copies current (nats-0 is offline, nats-2 is behind)',
    'EVT_c 4 messages, 0.5 of 1.0 MiB, no leader, 1 of 3 copies current (nats-1 is offline)',
    'EVT_d no response from its leader',
  ])
})

test('an error of the bus is a sentence', async () => {
  const description = 'JetStream system temporarily unavailable'
  const asked = withBus({ '$JS.API.STREAM.LIST': { error: { code: 503, description } } })
  expect(await runWords(asked, 'bus', 'streams')).toMatchObject({
    status: 1,
    error: `The bus refused the request: ${description}`,
  })
  await expect(operator.askBus('$JS.API.STREAM.LIST.x', {})).rejects.toThrow('JetStream does not respond')
})
