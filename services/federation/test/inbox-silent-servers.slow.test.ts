/** The inbox while other servers do not respond: requests about them end in time and do not delay others. */
import { fetchActor } from '@murmuration/contracts/federation'
import { createStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fetched } from '../src/core/metrics.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let evil: RemoteServer
let eve: RemoteActor

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  evil = await harness.server()
  eve = await evil.addActor('eve')
})
afterAll(() => harness.stop())
afterEach(async () => {
  await harness.waitForIdle()
  const deadLetters = await harness.db('federation').rows(sql`select reason from dead_letters`)
  expect(deadLetters).toEqual([])
})

const follow = (actor: RemoteActor) => makeActivity(actor, 'Follow', bob.uri)

test('hostile 14 keys of a server without a response give 503 within ten seconds, then at once until its pause ends', async () => {
  const silent = await harness.server()
  const sam = await silent.addActor('sam')
  silent.behave({ kind: 'hang' })
  const one = async (n: number) => {
    const began = performance.now()
    const keyId = `${sam.id}?n=${n}#main-key`
    const { status } = await harness.deliver(
      silent,
      { ...follow(sam), id: `${sam.id}/${n}` },
      { as: { ...sam, keyId } },
    )
    return { status, ms: performance.now() - began }
  }
  const slow = await Promise.all([1, 2, 3].map(one))
  expect(slow.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(Math.max(...slow.map(({ ms }) => ms))).toBeLessThan(10_000)
  const keys = () => silent.requests.all.filter(({ path }) => path.startsWith('/users/sam')).length
  const asked = keys()
  const quick = await Promise.all([4, 5, 6, 7].map(one))
  expect(quick.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  expect([asked, keys()]).toEqual([3, 3])
  // The probe requests it once, at an address that no sender chose.
  await expect.poll(() => silent.requests.all.length).toBe(4)
  silent.repair()
  const clock = harness.host.running.find((one) => one.service === 'federation')?.ctx.clock
  clock?.moveTo(61_000)
  expect((await harness.deliver(silent, follow(sam), { as: sam })).status).toBe(202)
  clock?.moveTo(0)
})

/** Delivers four activities at once, signed with invented keys at this path of the server. */
const invent = (server: RemoteServer, actor: RemoteActor, path: string) =>
  Promise.all(
    [1, 2, 3, 4].map((n) => {
      const keyId = `${server.origin}${path}?${n}`
      return harness.deliver(evil, { ...follow(actor), id: `${actor.id}/${n}` }, { as: { ...eve, keyId } })
    }),
  )

/** A host that responds to the probe is accepted again, so its circuit breaker closes soon. */
const isHeard = (server: RemoteServer, actor: RemoteActor) =>
  expect.poll(async () => (await harness.deliver(server, follow(actor), { as: actor })).status).toBe(202)

test('hostile 14 a redirect to a server that never answers does not block the server that redirects', async () => {
  const [healthy, silent] = [await harness.server(), await harness.server()]
  const sam = await healthy.addActor('sam')
  silent.behave({ kind: 'hang' })
  healthy.behave({ kind: 'redirect', to: `${silent.origin}/nowhere` }, { path: '/out' })
  const answers = await invent(healthy, sam, '/out')
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  expect((await harness.deliver(healthy, follow(sam), { as: sam })).status).toBe(202)
  silent.repair()
})

test('hostile 14 requests signed with keys that are never returned do not block the server of the keys', async () => {
  const server = await harness.server()
  const sam = await server.addActor('sam')
  server.behave({ kind: 'hang' }, { path: '/slow' })
  const { id } = await harness.call(createStatus, { status: 'read by many' } as never, bob)
  const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri as string
  await Promise.all([1, 2, 3, 4].map((n) => evil.fetch(uri, { as: { ...eve, keyId: `${server.origin}/slow?${n}` } })))
  const slow = () => server.requests.all.filter(({ path }) => path.startsWith('/slow')).length
  await expect.poll(slow).toBe(4)
  // The tries end by themselves after eight seconds.
  await new Promise((resolve) => setTimeout(resolve, 8_500))
  await isHeard(server, sam)
  server.repair()
})

test('hostile 14 keys at an address without a response do not block activities of a server that responds', async () => {
  const server = await harness.server()
  const [sam, tom] = [await server.addActor('sam'), await server.addActor('tom')]
  server.behave({ kind: 'hang' }, { path: '/slow' })
  const answers = await invent(server, sam, '/slow')
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
  await isHeard(server, sam)
  expect((await harness.call(fetchActor, { uri: tom.id })).outcome).toBe('ok')
  server.repair()
})

test('hostile 14 objects that are never returned do not block their server', async () => {
  const server = await harness.server()
  const sam = await server.addActor('sam')
  server.behave({ kind: 'hang' }, { path: /^\/slow/ })
  const ended = async () =>
    (await fetched.get()).values.find(({ labels }) => labels.kind === 'actor' && labels.outcome === 'later')?.value ?? 0
  const before = await ended()
  await Promise.allSettled([1, 2, 3, 4].map((n) => harness.call(fetchActor, { uri: `${server.origin}/slow/${n}` })))
  await expect.poll(ended).toBe(before + 4)
  await isHeard(server, sam)
  server.repair()
})

test('hostile 14 19 activities whose keys are never returned do not delay other activities', async () => {
  const [server, other] = [await harness.server(), await harness.server()]
  const [sam, tom] = [await server.addActor('sam'), await other.addActor('tom')]
  server.behave({ kind: 'hang' }, { path: '/slow' })
  let answered = 0
  const letters = Array.from({ length: 20 }, (_, n) => {
    const keyId = `${server.origin}/slow?many${n}`
    const letter = harness.deliver(evil, { ...follow(sam), id: `${sam.id}/many${n}` }, { as: { ...eve, keyId } })
    return letter.finally(() => answered++)
  })
  const slow = () => server.requests.all.filter(({ path }) => path.startsWith('/slow')).length
  await expect.poll(slow).toBeGreaterThanOrEqual(4)
  // All its connections for such keys are in use, and the others are free.
  const others = [
    harness.call(fetchActor, { uri: sam.id }).then(({ outcome }) => outcome),
    harness.deliver(other, follow(tom), { as: tom }).then(({ status }) => status),
  ]
  expect(await Promise.all(others)).toEqual(['ok', 202])
  expect(answered, 'activities that were answered before').toBe(0)
  expect(new Set((await Promise.all(letters)).map(({ status }) => status))).toEqual(new Set([503]))
  server.repair()
})
