/** A job whose handler ends the process, among others: it becomes a dead letter, and the others are done. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Product } from '@murmuration/testkit'
import { afterEach, expect, test } from 'vitest'
import { createUser, postAs, requestAs, startWhole, type TestUser } from '../product.js'

const WORKER = ['statuses:reactor,fanout,links']
/** Time limit in milliseconds. The requirement is one minute; on a machine that runs other tests, each restart takes another. */
const WITHIN_MS = 300_000

let product: Product | undefined
afterEach(() => product?.stop())

/** Sets an environment variable of processes that start later. */
const setEnv = ({ env }: Product, name: string, value: string) => {
  ;(env as Record<string, string>)[name] = value
}
const idsAtHome = async (to: Product, who: TestUser): Promise<string[]> => {
  const response = await requestAs(to, who, '/api/v1/timelines/home?limit=40')
  const page = (await response.json().catch(() => [])) as { id: string }[]
  return response.status === 200 ? page.map((one) => one.id) : []
}
const deadLetters = async (from: Product) =>
  (await from.ctl('dlq', 'list')) as unknown as { id: string; reason: string }[]

test.each([
  ['one process', ['fanout']],
  ['two processes', ['fanout1', 'fanout2']],
])(
  'a job that ends three processes becomes a dead letter, and the others are done: %s',
  {
    timeout: 900_000,
  },
  async (_name, workers) => {
    product = await startWhole({
      table: {
        edge: ['gateway', 'streaming'],
        api: ['accounts', 'admin', 'statuses:api', 'notifications', 'federation', 'media'],
        ...Object.fromEntries(workers.map((name) => [name, WORKER])),
      },
      revive: true,
    })
    const running = product
    const good = await createUser(running, 'good')
    const bad = await createUser(running, 'bad')
    const reader = await createUser(running, 'reader')
    for (const author of [good, bad]) await reader.api.v1.accounts.$select(author.id).follow()
    await running.waitForIdle()
    setEnv(running, 'FAULT_POINTS', `fanout.status=exit@id:${bad.id}`)
    for (const name of workers) await running.restart(name, {}, 'SIGTERM')
    // The first read builds the feed from rows, including statuses that fan-out did not deliver.
    await idsAtHome(running, reader)
    const startsOf = () => workers.reduce((sum, name) => sum + (running.processes.get(name)?.starts ?? 0), 0)
    const startsBefore = startsOf()

    const began = Date.now()
    const posts = Array.from({ length: 20 }, (_, n) =>
      postAs(running, n === 10 ? bad : good, { status: `number ${n}` }).then((response) => response.json()),
    )
    const statuses = (await Promise.all(posts)) as { id: string; account: { id: string } }[]
    const wanted = statuses.filter((one) => one.account.id === good.id).map((one) => one.id)
    const culprit = statuses.find((one) => one.account.id === bad.id)?.id ?? ''
    for (let at: string[] = []; !wanted.every((id) => at.includes(id)); at = await idsAtHome(running, reader)) {
      if (Date.now() - began > WITHIN_MS) expect(at.toSorted()).toEqual(wanted.toSorted())
      await pause(250)
    }
    const goodMs = Date.now() - began
    let letters = await deadLetters(running)
    while (letters.length === 0) {
      expect(Date.now() - began).toBeLessThan(WITHIN_MS)
      await pause(1_000)
      letters = await deadLetters(running)
    }
    console.log(
      `good after ${goodMs} ms, dead letter after ${Date.now() - began} ms, ended ${startsOf() - startsBefore}`,
    )
    expect(letters.map((one) => one.reason)).toEqual(['ended-its-worker'])
    expect(startsOf() - startsBefore).toBe(3)
    expect(await idsAtHome(running, reader)).not.toContain(culprit)

    setEnv(running, 'FAULT_POINTS', '')
    for (const name of workers) await running.restart(name, {}, 'SIGTERM')
    await running.ctl('dlq', 'replay', ...letters.map((one) => one.id))
    await running.waitForIdle()
    const home = await idsAtHome(running, reader)
    expect(home.filter((id) => id === culprit)).toHaveLength(1)
    expect(home.toSorted()).toEqual(statuses.map((one) => one.id).toSorted())
    expect(await deadLetters(running)).toEqual([])
  },
)
