/** Commands that find a status by its author and time, and that show the relationship of two accounts. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { accountCreateByOperator, blockCreate, followCreate } from '@murmuration/contracts/accounts'
import { addReblog, createStatus } from '@murmuration/contracts/statuses'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
const ids = new Map<string, string>()
const as = (name: string) => viewer(ids.get(name) ?? '')
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, admin, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
  for (const username of ['alice', 'bob', 'carol']) {
    const input = { username, email: `${username}@mail.example`, confirmed: true }
    ids.set(username, (await cluster.call(accountCreateByOperator, input)).id)
  }
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const explain = (...words: string[]) => dataOf(operator, 'federation', 'explain', ...words)

test('statuses and boosts of an account are listed from a time on, with their addresses', async () => {
  const nothing = await runWords(operator, 'federation', 'explain', 'alice')
  expect([nothing.status, nothing.text]).toEqual([1, expect.stringMatching(/^@alice wrote and boosted nothing since /)])
  const written = await cluster.call(createStatus, { status: 'for bob', visibility: 'private' }, as('alice'))
  const { id, uri } = written as { id: string; uri: string }
  const original = (await cluster.call(createStatus, { status: 'hello' }, as('bob'))) as { id: string; uri: string }
  const boost = JSON.parse(JSON.stringify(await cluster.call(addReblog, { id: original.id }, as('alice')))) as {
    id: string
    uri: string
  }
  expect(boost.uri).toContain(boost.id)
  const listed = {
    more: false,
    statuses: [
      { uri, visibility: 'private' },
      { uri: boost.uri, boost_of: original.uri },
    ],
  }
  expect(await explain('@alice')).toMatchObject(listed)
  expect((await ctl('federation', 'explain', 'alice')).split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^20\\S+Z private  \\S+/${id}$`)),
    expect.stringMatching(new RegExp(`^20\\S+Z public   ${boost.uri}, boost of ${original.uri}$`)),
  ])
  const later = new Date(Date.now() + 60_000).toISOString()
  expect(await runWords(operator, 'federation', 'explain', 'alice', '--at', later)).toMatchObject({ status: 1 })
})

test.each([
  [['alice', '--host', 'far.example'], '--host belongs to an address.'],
  [['https://here.example/1', '--at', '2026-01-01'], '--at belongs to an account.'],
  [['alice@far.example'], 'It is a user name of this server'],
])('federation explain %j is refused before it connects', async (words, sentence) => {
  const { status, error } = await runWords(null, 'federation', 'explain', ...words)
  expect([status, error]).toEqual([2, expect.stringContaining(sentence)])
})

test('the relationship of two accounts has follows and blocks in both directions', async () => {
  await cluster.call(followCreate, { id: ids.get('alice') ?? '' }, as('bob'))
  await cluster.call(blockCreate, { id: ids.get('carol') ?? '' }, as('alice'))
  expect((await ctl('account', 'relationship', '@alice', 'bob')).split('\n')).toEqual([
    '@alice follows @bob: no',
    '@alice blocks @bob: no',
    expect.stringMatching(/^@bob follows @alice: yes, since 20\S+Z$/),
    '@bob blocks @alice: no',
  ])
  expect(await dataOf(operator, 'account', 'relationship', 'carol', 'alice')).toEqual([
    expect.objectContaining({ account: 'carol', other: 'alice', following: false, blocking: false }),
    expect.objectContaining({ account: 'alice', other: 'carol', following: false, blocking: true }),
  ])
})

test('a request of a remote account and a blocked domain are shown', async () => {
  const standing = {
    following: false,
    requested: false,
    blocking: false,
    domain_blocking: false,
    followed_by_since: null,
  }
  const records = { alice: { id: '1' }, 'bob@far.example': { id: '2' } }
  const standings = { 1: { 2: { ...standing, domain_blocking: true } }, 2: { 1: { ...standing, requested: true } } }
  const ask = async (_operation: unknown, input: { handles?: ['alice' | 'bob@far.example'] }) =>
    input.handles ? { records: [records[input.handles[0]]] } : { standings }
  const asking = { ...operator, ask } as unknown as Operator
  expect((await textOf(asking, 'account', 'relationship', 'alice', 'bob@far.example')).split('\n')).toEqual([
    '@alice follows @bob@far.example: no',
    '@alice blocks @bob@far.example: no',
    '@alice blocks the domain of @bob@far.example: yes',
    '@bob@far.example follows @alice: waits for approval',
    '@bob@far.example blocks @alice: no',
  ])
})
