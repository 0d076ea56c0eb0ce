/** Reasons in the log: each once a minute, also with many reasons. */
import { expect, test } from 'vitest'
import { logReasons } from './throttled-warnings.js'

const setup = () => {
  const lines: string[] = []
  const at = { now: 600_000 }
  const warn = ((line: string) => void lines.push(line)) as never
  return { lines, at, report: logReasons({ log: { warn }, clock: { now: () => at.now } }) }
}

test('a reason is logged once a minute', () => {
  const { lines, at, report } = setup()
  for (let n = 0; n < 3; n++) report('a wrong key')
  at.now += 59_000
  report('a wrong address')
  at.now += 1_000
  report('a wrong key')
  report('a wrong address')
  expect(lines).toEqual(['a wrong key', 'a wrong address', 'a wrong key'])
})

test('at most twenty reasons are logged in a minute', () => {
  const { lines, at, report } = setup()
  for (let n = 0; n < 1_000; n++) report(`reason ${n}`)
  expect(lines).toHaveLength(20)
  at.now += 60_000
  report('reason 999')
  expect(lines.slice(20)).toEqual(['reason 999'])
})

test('reasons that differ only in their fields are logged once a minute', () => {
  const logged: unknown[][] = []
  const warn = ((...line: unknown[]) => void logged.push(line)) as never
  const report = logReasons({ log: { warn }, clock: { now: () => 600_000 } })
  for (let n = 0; n < 30; n++) report('a service refuses', { host: `${n}.push.example` })
  report('a wrong key')
  expect(logged).toEqual([[{ host: '0.push.example' }, 'a service refuses'], ['a wrong key']])
})
