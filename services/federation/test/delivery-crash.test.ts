/** A delivery worker that dies between the response of a server and storing it: nothing is lost, repeats have the same bytes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { deliveryState } from '@murmuration/contracts/federation'
import { sql } from '@murmuration/db'
import { programFile, SOURCE_ARGS } from '@murmuration/testkit'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount, posted, type SiblingServices, startSiblingServices } from './sibling-services.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const KILLS = 2
/** Most requests to one host at once. */
const IN_HAND = 2

let harness: SiblingServices
let remote: RemoteServer
const workers: ChildProcess[] = []

beforeAll(async () => {
  // The time-out is long, so that only kills cause repeated deliveries, not a busy machine.
  harness = await startSiblingServices({ DELIVERY_TIMEOUT_MS: '60000' }, ['api', 'inbox', 'fetch'])
  remote = await startRemoteServer()
})
afterAll(async () => {
  for (const worker of workers) if (worker.exitCode === null) worker.kill('SIGKILL')
  await harness.stop()
  await remote.close()
})

/** A process with nothing but the deliver role. */
const worker = (faults: string): ChildProcess => {
  const child = spawn(process.execPath, [...SOURCE_ARGS, programFile('serve'), 'federation:deliver'], {
    cwd: root,
    env: { ...process.env, ...harness.env, PORT: '', FAULT_POINTS: faults },
    stdio: 'ignore',
  })
  workers.push(child)
  return child
}

test('F006 with processes killed between response and stored result, every activity arrives, with bounded duplicates', async () => {
  const authors = await Promise.all(Array.from({ length: 10 }, (_, i) => createAccount(harness, `p${i}`)))
  for (const author of authors) harness.tables.inboxes.set(author.id, [`${remote.origin}/inbox`])
  const expected = new Set<string>()
  for (let n = 0; n < 100; n++) {
    const author = authors[n % authors.length]
    if (author) expected.add(`${(await posted(harness, author)).uri}/activity`)
  }
  const pending = async () =>
    (
      await harness
        .db('federation')
        .rows<{ uri: string }>(sql`select uri from deliveries join activities on id = activity_id where state = 0`)
    ).map((row) => row.uri)
  /** Deliveries that were not stored as delivered at each kill: only these may arrive twice. */
  const inDoubt: string[][] = []
  for (let n = 0; n < KILLS; n++) {
    const [, signal] = await once(worker('delivery.afterRemoteReply=exit@20'), 'exit')
    expect(signal).toBe('SIGKILL')
    inDoubt.push(await pending())
  }
  worker('')
  const all = () => new Set(remote.inbox.all.map((one) => String(one.activity.id)))
  await expect.poll(() => all().size, { timeout: 180_000, interval: 200 }).toBe(100)
  await expect.poll(async () => (await harness.call(deliveryState, {})).held, { interval: 200 }).toBe(0)
  expect(all()).toEqual(expected)
  expect(remote.inbox.all.length - 100).toBeLessThanOrEqual(KILLS * IN_HAND)
  const texts = Map.groupBy(remote.inbox.all, (one) => String(one.activity.id))
  for (const [id, copies] of texts)
    expect(copies.length - 1).toBeLessThanOrEqual(inDoubt.filter((uris) => uris.includes(id)).length)
  for (const copies of texts.values()) expect(new Set(copies.map((one) => one.body.toString())).size).toBe(1)
  const rows = await harness.db('federation').rows(sql`select state, count(*)::int as n from deliveries group by state`)
  expect(rows).toEqual([{ state: 1, n: 100 }])
})
