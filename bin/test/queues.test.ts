/** Commands for queues and dead letters, on services of which some do not run. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [admin, accounts, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

/** The result of a command, and its output on standard error. */
const notes = async <T>(work: () => Promise<T>): Promise<[T, string]> => {
  const said: string[] = []
  const errors = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const result = await work().finally(() => errors.mockRestore())
  return [result, said.join('')]
}
const deadLetter = (id: string, consumer = 'statuses_file-conversation') =>
  cluster.db('statuses').run(sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries, at)
    values (${id}, ${consumer}, 'job.statuses.x', ${`m${id}`}, '{"status":"1","note":"a b"}', 'timeout', 6, now())`)

test('dead letters are listed, shown, replayed and removed, by id or by number alone', async () => {
  await deadLetter('7')
  await deadLetter('8', 'statuses_unknown')
  const [text, away] = await notes(() => textOf(operator, 'dlq', 'list'))
  expect(text.split('\n').map((line) => line.split('  ').slice(0, 2))).toEqual([
    ['statuses-8', 'statuses_unknown'],
    ['statuses-7', 'statuses_file-conversation'],
  ])
  expect(away).toBe('no response from: federation, notifications\n')
  expect(await dataOf(operator, 'dlq', 'show', '7')).toMatchObject({ id: 'statuses-7', content: { note: 'a b' } })
  expect(await textOf(operator, 'dlq', 'drop', 'statuses-8', '--dry-run')).toMatch(/^Would remove: statuses-8 /)
  const replayed = await runWords(operator, 'dlq', 'replay', '7', 'statuses-8')
  expect([replayed.status, replayed.text]).toEqual([1, '1 replayed, 1 failed again'])
  expect(await textOf(operator, 'dlq', 'drop', '8')).toBe('Removed.')
  expect((await notes(() => textOf(operator, 'dlq', 'list')))[0]).toBe('There are none.')
  expect((await runWords(operator, 'dlq', 'show', '7')).error).toBe('There is no dead letter 7.')
  expect((await runWords(operator, 'dlq', 'show', 'seven')).status).toBe(2)
})

test('queues of each responding service are shown, also while admin does not respond', async () => {
  const [text, away] = await notes(() => textOf(operator, 'queues'))
  expect(text.match(/^\w+(?=: \d+ unsent)/gm)).toEqual(['media', 'accounts', 'statuses', 'admin'])
  expect(away).toBe('no response from: federation, notifications\n')
  expect(await textOf(operator, 'queues', '--service', 'statuses')).toMatch(
    /^statuses: 0 unsent .*\n {2}\w\S+ +pending 0/,
  )
  const alone = await startCluster({ apps: [accounts] })
  const other = await connectOperator({ ...process.env, ...alone.env })
  const [only] = await notes(() => textOf(other, 'queues'))
  expect(only.match(/^\w+(?=: \d+ unsent)/gm)).toEqual(['accounts'])
  await other.close()
  await alone.stop()
})
