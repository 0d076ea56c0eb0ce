/** Scheduled work: its runs are counted by outcome, and a failed run does not end it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClock, type Log, registry, startTick } from '../src/index.js'

const runs = async (outcome: string) =>
  Number(
    (await registry.metrics()).match(
      `murmuration_ticks_total\\{tick="test.sometimes",outcome="${outcome}"\\} (\\d+)`,
    )?.[1],
  )

test('runs of a tick are counted by outcome, from zero, and a failed run is logged and does not end it', async () => {
  let failures = 0
  const logged: unknown[] = []
  const log = { warn: (fields: unknown) => logged.push(fields) } as unknown as Log
  let release = () => {}
  const started = new Promise<void>((resolve) => {
    release = resolve
  })
  const run = async () => {
    await started
    if (failures++ < 2) throw new Error('not today')
  }
  const stop = startTick(
    { entry: 'tick', name: 'test.sometimes', everyMs: 5, alone: false, run },
    { service: 'test', ctx: {}, leases: null, clock: createClock(), log, faults: { reach: async () => {} } as never },
  )
  expect([await runs('done'), await runs('failed')]).toEqual([0, 0])
  release()
  await expect.poll(() => runs('done')).toBeGreaterThan(1)
  await stop()
  expect(await runs('failed')).toBe(2)
  expect(logged).toHaveLength(2)
  expect(logged[0]).toMatchObject({ tick: 'test.sometimes' })
  const ended = await runs('done')
  await sleep(30)
  expect(await runs('done')).toBe(ended)
})

test('a run that does not end has an increasing age, and the age is zero between runs', async () => {
  const ageOf = async () =>
    Number((await registry.metrics()).match(/murmuration_tick_running_seconds\{tick="test.hanging"\} ([\d.]+)/)?.[1])
  let release = () => {}
  const run = () =>
    new Promise<void>((resolve) => {
      release = resolve
    })
  const stop = startTick(
    { entry: 'tick', name: 'test.hanging', everyMs: 20, alone: false, run },
    {
      service: 'test',
      ctx: {},
      leases: null,
      clock: createClock(),
      log: {} as Log,
      faults: { reach: async () => {} } as never,
    },
  )
  expect(await ageOf()).toBe(0)
  await expect.poll(ageOf).toBeGreaterThan(0.2)
  const stopped = stop()
  release()
  await stopped
  expect(await ageOf()).toBe(0)
})
