/** Refused addresses in the log, also with many hosts. */
import { expect, test } from 'vitest'
import type { Log } from './log.js'
import { logRefusals } from './refusals.js'

const setup = () => {
  const lines: { host: string; reason: string; unlogged: number }[] = []
  const at = { now: 600_000 }
  const report = logRefusals({
    log: { info: (line: (typeof lines)[number]) => lines.push(line) } as unknown as Log,
    clock: { now: () => at.now },
  })
  return { lines, at, report: (host: string) => report({ host, reason: 'the address is not public' }) }
}

test('D071 a host is logged once a minute, with the number of skipped lines', () => {
  const { lines, at, report } = setup()
  for (let n = 0; n < 3; n++) report('10.0.0.1')
  report('inside.local')
  at.now += 60_000
  report('10.0.0.1')
  expect(lines.map(({ host, unlogged }) => [host, unlogged])).toEqual([
    ['10.0.0.1', 0],
    ['inside.local', 2],
    ['10.0.0.1', 0],
  ])
})

test('D071 a flood of hosts is twenty lines a minute, each with a short name', () => {
  const { lines, at, report } = setup()
  for (let n = 0; n < 5_000; n++) report(`${n}-${'x'.repeat(2_000)}.local`)
  expect(lines).toHaveLength(20)
  expect(lines.every(({ host }) => host.length === 100)).toBe(true)
  at.now += 60_000
  report('10.0.0.1')
  expect(lines[20]).toEqual({ host: '10.0.0.1', reason: 'the address is not public', unlogged: 4_980 })
})
