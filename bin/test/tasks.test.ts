/** Commands that start a task: progress, end and failure. */
import { fail } from '@murmuration/contracts/kit'
import type { Task } from '@murmuration/contracts/task'
import { afterEach, expect, test, vi } from 'vitest'
import type { Operator } from '../control/operator.js'
import { bytesText } from '../control/tasks.js'
import { runWords } from './command-line.js'

const task = (more: Partial<Task> = {}): Task => ({
  id: '7',
  kind: 'cull-accounts',
  dry_run: false,
  state: 'running',
  seen: 0,
  changed: 0,
  bytes: 0,
  total: 1_000,
  notes: {},
  error: null,
  created_at: '2026-11-26T10:00:00.000Z',
  finished_at: null,
  ...more,
})

/** An operator whose requests get these responses in order; further ones get the last. */
const answering = (...answers: unknown[]) => {
  const asked: string[] = []
  const operator = {
    call: async ({ name }: { name: string }) => {
      asked.push(name)
      return answers.length > 1 ? answers.shift() : answers[0]
    },
  } as unknown as Operator
  return { operator, asked }
}
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a task that takes longer than two seconds prints its progress to the error output', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const running = Array.from({ length: 12 }, (_, n) => task({ seen: n * 50, changed: n }))
  const { operator } = answering(...running, task({ state: 'done', seen: 1_000, changed: 20, notes: { asked: 30 } }))
  const ran = runWords(operator, 'account', 'cull')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await ran).toEqual({ status: 0, text: '20 of 1,000 accounts removed, asked: 30', error: '' })
  expect(said[0]).toMatch(/^\d+ of \d+ accounts removed so far \(\d+ %\)\n$/)
})

test.each([
  [{ state: 'failed', error: 'the store is away' }, 1, 'The task 7 failed: the store is away.'],
  [{ state: 'stopped' }, 1, 'The task 7 stopped.'],
  [{ state: 'done', dry_run: true, seen: 5, changed: 2, bytes: 1_500_000 }, 0, 'Would remove 2 of 5 accounts (1.5 MB)'],
] as const)('a task that ends as %j', async (end, status, text) => {
  const { operator } = answering(task(), task(end))
  const ran = await runWords(operator, 'account', 'cull', 'a.example')
  expect([ran.status, ran.text]).toEqual([status, expect.stringContaining(text)])
})

test('--detach prints the id and does not wait; --json prints the task', async () => {
  const { operator, asked } = answering(task())
  expect((await runWords(operator, 'account', 'cull', '--detach')).text).toContain('bin/ctl task show accounts 7')
  expect(asked).toEqual(['accounts.upkeep.cull'])
  expect(JSON.parse((await runWords(operator, 'account', 'cull', '--detach', '--json')).text)).toEqual(task())
})

test('a list of tasks has the minute of each in UTC', async () => {
  const { operator } = answering([task({ state: 'done' })])
  const { text } = await runWords(operator, 'task', 'list')
  expect(text.split('\n')[0]).toMatch(/^7 {2}\w+ {2}cull-accounts {2}2026-11-26T10:00Z {2}done/)
})

test.each([
  ['failed', 1],
  ['stopped', 1],
  ['done', 0],
] as const)('the exit status of a task that is followed and ends as %s is %i', async (state, status) => {
  const { operator } = answering(task(), task({ state, error: state === 'failed' ? 'the store is away' : null }))
  const ran = await runWords(operator, 'task', 'show', 'accounts', '7', '--follow')
  expect(ran).toMatchObject({ status, text: expect.stringContaining(state) })
  const shown = answering(task({ state })).operator
  expect((await runWords(shown, 'task', 'show', 'accounts', '7')).status).toBe(0)
})

test('a list of tasks has those of the services that respond, and names the others', async () => {
  const said: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const withError = (error: Error) =>
    ({
      call: async ({ service }: { service: string }) => {
        if (service === 'federation') throw error
        return [task({ state: 'done' })]
      },
    }) as unknown as Operator
  const { status, text } = await runWords(withError(fail('unavailable', 'no')), 'task', 'list')
  expect([status, text.split('\n').length, said]).toEqual([0, 3, ['no response from: federation\n']])
  const refused = await runWords(withError(fail('forbidden', 'This is refused')), 'task', 'list')
  expect([refused.status, refused.error]).toEqual([1, 'This is refused'])
})

test('a failed sum of files prints its error', async () => {
  const { operator } = answering(task(), task({ state: 'failed', error: 'the store is away' }))
  const { status, text } = await runWords(operator, 'media', 'usage')
  expect([status, text]).toEqual([1, expect.stringContaining('The task 7 failed: the store is away.')])
})

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [123_456_789, '123 MB'],
  [5e15, '5.0 PB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
