/**
 * Commands with which an operator finds out why one status or boost was not delivered, as the runbook uses them, and the relationship
 * of two accounts. Other servers run on loopback.
 */

import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import {
  type AccountRecord,
  applyRemote,
  createAccountByOperator,
  createBlock,
  createFollow,
  createMute,
  putRemote,
} from '@murmuration/contracts/accounts'
import { addReblog, createStatus, removeReblog } from '@murmuration/contracts/statuses'
import { app as federation } from '@murmuration/federation'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
const ids = new Map<string, string>()
const as = (name: string) => viewer(ids.get(name) ?? '')
beforeAll(async () => {
  cluster = await startCluster({
    apps: [accounts, admin, federation, media, statuses],
    env: { MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' },
  })
  operator = await connectOperator({ ...process.env, ...cluster.env })
  for (const username of ['alice', 'bob', 'carol', 'dora']) {
    const input = { username, email: `${username}@mail.example`, confirmed: true }
    ids.set(username, (await cluster.call(createAccountByOperator, input)).id)
  }
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const explain = (...words: string[]) => dataOf(operator, 'federation', 'explain', ...words)

test('a federation service of an older release, which ignores --by, causes an error with this reason', async () => {
  const older: Operator = {
    ...operator,
    // The response of a process that ignores `by` to any question.
    call: (async () => ({ activities: [] })) as Operator['call'],
  }
  const ran = await runWords(older, 'federation', 'explain', 'https://here.example/1', '--by', 'bob')
  expect(ran).toMatchObject({
    status: 1,
    error: expect.stringContaining('The service federation is of an older release'),
  })
})

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
  [['alice', '--by', 'bob'], '--by belongs to an address.'],
  [['alice', '--host', 'far.example'], '--host belongs to an address.'],
  [['https://here.example/1', '--at', '2026-01-01'], '--at belongs to an account.'],
  [['alice@'], 'It is a name such as alice or bob@other.example'],
])('federation explain %j is refused before it connects', async (words, sentence) => {
  const { status, error } = await runWords(null, 'federation', 'explain', ...words)
  expect([status, error]).toEqual([2, expect.stringContaining(sentence)])
})

/** Stores a remote account, whose handle, actor id and shared inbox may be on three hosts. */
const remote = async (name: string, domain: string, server: RemoteServer): Promise<AccountRecord> => {
  const uri = `https://social.${domain}/users/${name}`
  const more = { uri, url: uri, shared_inbox_url: `${server.origin}/inbox` }
  return (await cluster.call(putRemote, { actor: remoteActor(name, domain, more) })).record
}
const follows = (who: AccountRecord, whom: string) =>
  cluster.call(applyRemote, { what: 'follow', actor: who.id, target: ids.get(whom) ?? '', uri: `${who.uri}/follow/1` })
const post = async (name: string, input: Parameters<typeof cluster.call<typeof createStatus>>[1]) =>
  (await cluster.call(createStatus, input, as(name))) as { id: string; uri: string }
const linesOf = async (...words: string[]) => (await runWords(operator, 'federation', ...words)).text.split('\n')
const hostOf = (server: RemoteServer) => new URL(server.origin).host

test('the runbook finds a server that refuses and one whose deliveries are held, by handle, actor id, account and inbox', async () => {
  const [refusing, held] = [await startRemoteServer(), await startRemoteServer()]
  const [refusingHost, heldHost] = [hostOf(refusing), hostOf(held)]
  refusing.behave({ kind: 'status', status: 403 })
  held.behave({ kind: 'status', status: 503 })
  await follows(await remote('rita', 'refuses.example', refusing), 'dora')
  await follows(await remote('hugo', 'held.example', held), 'dora')
  const { uri } = await post('dora', { status: 'hello' })
  await cluster.waitForIdle()
  expect(await linesOf('explain', 'dora')).toEqual([expect.stringContaining(uri)])
  const looked = {
    'refuses.example': `Looked at ${refusingHost}: accounts with handles of refuses.example have their inboxes there`,
    'social.refuses.example': `Looked at ${refusingHost}: accounts whose actor ids are on social.refuses.example have their inboxes there`,
    '@rita@refuses.example': `Looked at ${refusingHost}: the shared inbox of rita@refuses.example, which receives its statuses`,
    [refusingHost]: `Looked at ${refusingHost}: it has inboxes of this name`,
  }
  for (const [name, line] of Object.entries(looked)) {
    const lines = await linesOf('explain', uri, '--host', name)
    expect(lines).toContain(line)
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^Create .*: 1 refused$/),
      expect.stringMatching(/^ {2}refused .* attempts 1, status 403, 20\S+Z$/),
    ])
  }
  expect((await linesOf('explain', uri, '--host', 'held.example')).at(-1)).toMatch(
    /^ {2}pending .* attempts 1, status 503, next at 20\S+Z$/,
  )
  expect(await linesOf('hosts', 'held.example')).toEqual([
    `Nothing was ever sent to held.example. Its accounts have their inboxes on: ${heldHost}`,
  ])
  expect(await linesOf('hosts', heldHost)).toEqual(
    expect.arrayContaining(['circuit: open', 'held: it is paused after failures, or as long as it requested']),
  )
  expect((await linesOf('hosts', 'social.held.example')).at(-1)).toBe(
    'known accounts: 1, followed from here: 0, followers of accounts here: 1 (also with handles of held.example)',
  )
  await Promise.all([refusing.close(), held.close()])
})

test('the runbook finds that the domain of a follower is blocked, although its inbox is on another host', async () => {
  const server = await startRemoteServer()
  await follows(await remote('bert', 'blocked.example', server), 'carol')
  await textOf(operator, 'domain-block', 'add', 'blocked.example', '--severity', 'suspend')
  const relationship = () => textOf(operator, 'account', 'relationship', 'carol', 'bert@blocked.example')
  await expect.poll(relationship).toContain('@bert@blocked.example follows @carol: no')
  await cluster.waitForIdle()
  const { uri } = await post('carol', { status: 'hello' })
  await cluster.waitForIdle()
  for (const name of ['blocked.example', 'social.blocked.example', '@bert@blocked.example']) {
    const lines = await linesOf('explain', uri, '--host', name)
    expect(lines).toContain(`${name.replace(/^@/, '')} is blocked, or not on the list of allowed servers.`)
    expect(lines.slice(-3)).toEqual([
      'Possible reasons:',
      '  - That server is blocked, or federation is limited to other servers.',
      'docs/runbooks/one-post-not-delivered.md names the checks.',
    ])
  }
  await textOf(operator, 'domain-block', 'remove', 'blocked.example')
  await server.close()
})

test('the runbook finds the boost of a private status, and why another server did not get it', async () => {
  const server = await startRemoteServer()
  await follows(await remote('fay', 'friend.example', server), 'bob')
  await remote('otto', 'other.example', server)
  const own = await post('bob', { status: 'for my followers', visibility: 'private' })
  const boost = JSON.parse(JSON.stringify(await cluster.call(addReblog, { id: own.id }, as('bob')))) as { uri: string }
  await cluster.waitForIdle()
  const lines = await linesOf('explain', own.uri, '--by', 'bob', '--host', '@fay@friend.example')
  expect(lines.at(-1)).toContain(`delivered ${server.origin}/inbox`)
  expect((await linesOf('explain', boost.uri, '--host', 'nobody.example')).slice(0, 7)).toEqual([
    'No inbox of nobody.example is known: nothing was ever sent there, and no known account has it in its handle or actor id.',
    expect.stringMatching(/^Announce .*, boost of .*: not sent to this server$/),
    expect.stringMatching(/^Create .*: not sent to this server$/),
    `Nothing was sent of ${own.uri} to nobody.example`,
    `Nothing was sent of ${boost.uri} to nobody.example`,
    'Possible reasons:',
    '  - The status is for followers or mentioned accounts only, and none of them is on that server.',
  ])
  await expect(cluster.call(addReblog, { id: own.id }, as('carol'))).rejects.toMatchObject({ status: 404 })
  await server.close()
})

test('the runbook finds an undone boost by its author, its address, its Undo, and the boosted status with the account', async () => {
  const server = await startRemoteServer()
  await follows(await remote('finn', 'friendly.example', server), 'dora')
  const original = await post('bob', { status: 'worth a boost' })
  const boost = JSON.parse(JSON.stringify(await cluster.call(addReblog, { id: original.id }, as('dora')))) as {
    uri: string
  }
  await server.inbox.reached(1)
  await cluster.waitForIdle()
  await cluster.call(removeReblog, { id: original.id }, as('dora'))
  await server.inbox.reached(2)
  await cluster.waitForIdle()
  expect((await linesOf('explain', 'dora')).at(-1)).toMatch(
    new RegExp(`^20\\S+Z public   ${boost.uri}, boost of ${original.uri}, undone at 20\\S+Z$`),
  )
  for (const words of [[boost.uri], [`${boost.uri}#undo`], [original.uri, '--by', 'dora']]) {
    const lines = await linesOf('explain', ...words, '--host', 'friendly.example')
    const first = lines.findIndex((line) => line.startsWith('Undone'))
    expect(lines.slice(first, first + 4)).toEqual([
      expect.stringMatching(new RegExp(`^Undone at 20\\S+Z: ${boost.uri}$`)),
      '  before: delivered to 1 of 1 server',
      '  Undo: delivered to 1 of 1 server',
      expect.stringMatching(/^ {2}kept until 20\S+Z; after that, nothing about it is known$/),
    ])
  }
  expect((await linesOf('explain', original.uri, '--by', 'carol')).slice(0, 4)).toEqual([
    'Nothing about this address was sent to another server.',
    'Possible reasons:',
    '  - The account has no boost of this status.',
    expect.stringMatching(/ended before 20\S+Z, nothing is known\.$/),
  ])
  expect((await linesOf('explain', `${original.uri}0`)).slice(0, 3)).toEqual([
    'Nothing about this address was sent to another server.',
    'Possible reasons:',
    '  - No status and no activity with this address is known here.',
  ])
  await server.close()
})

test('the relationship of two accounts has follows, blocks and mutes in both directions', async () => {
  await cluster.call(createFollow, { id: ids.get('alice') ?? '' }, as('bob'))
  await cluster.call(createBlock, { id: ids.get('carol') ?? '' }, as('alice'))
  expect((await ctl('account', 'relationship', '@alice', 'bob')).split('\n')).toEqual([
    '@alice follows @bob: no',
    '@alice blocks @bob: no',
    '@alice mutes @bob: no',
    expect.stringMatching(/^@bob follows @alice: yes, since 20\S+Z$/),
    '@bob blocks @alice: no',
    '@bob mutes @alice: no',
  ])
  expect(await dataOf(operator, 'account', 'relationship', 'carol', 'alice')).toEqual([
    expect.objectContaining({ account: 'carol', other: 'alice', following: false, blocking: false }),
    expect.objectContaining({ account: 'alice', other: 'carol', following: false, blocking: true }),
  ])
})

test('the relationship of two accounts has the boosts and languages of the follow, and the end of the mute', async () => {
  const dora = { id: ids.get('dora') ?? '' }
  await cluster.call(createFollow, { ...dora, reblogs: false, languages: ['de', 'en'] }, as('bob'))
  await cluster.call(createMute, { ...dora, notifications: false }, as('bob'))
  await cluster.call(createMute, { id: ids.get('bob') ?? '', duration: 3_600 }, as('dora'))
  expect((await ctl('account', 'relationship', 'bob', 'dora')).split('\n')).toEqual([
    expect.stringMatching(/^@bob follows @dora: yes, since 20\S+Z, without boosts, only posts in de en$/),
    '@bob blocks @dora: no',
    '@bob mutes @dora: yes, without notifications',
    '@dora follows @bob: no',
    '@dora blocks @bob: no',
    expect.stringMatching(/^@dora mutes @bob: yes, with notifications, until 20\S+Z$/),
  ])
  expect(await dataOf(operator, 'account', 'relationship', 'bob', 'dora')).toMatchObject([
    {
      showing_boosts: false,
      languages: ['de', 'en'],
      muting: true,
      muting_notifications: false,
      muting_expires_at: null,
    },
    { showing_boosts: null, languages: null, muting: true, muting_notifications: true },
  ])
})

test('the domain of this server in a handle means a local account', async () => {
  const handle = `@Alice@${cluster.env.LOCAL_DOMAIN}`
  expect((await ctl('account', 'relationship', handle, 'bob')).split('\n')[0]).toBe('@alice follows @bob: no')
  expect(await ctl('federation', 'explain', handle)).toContain('/activity')
  const unknown = await runWords(operator, 'federation', 'explain', 'https://far.example/none', '--by', handle)
  expect([unknown.status, unknown.text]).toEqual([1, expect.stringContaining('is known here')])
  const remote = await runWords(operator, 'federation', 'explain', '@alice@far.example')
  expect([remote.status, remote.error]).toEqual([1, expect.stringContaining('There is no local account named')])
})

test('a request of a remote account and a blocked domain are shown', async () => {
  const relationship = {
    following: false,
    requested: false,
    blocking: false,
    domain_blocking: false,
    following_since: null,
    muting: false,
  }
  const records = {
    alice: { id: '1', acct: 'alice', domain: null },
    'bob@far.example': { id: '2', acct: 'bob@far.example', domain: 'far.example' },
  }
  const relationships: Record<string, object> = {
    1: { ...relationship, domain_blocking: true },
    2: { ...relationship, requested: true },
  }
  const call = async (_operation: unknown, input: { handles?: ['alice' | 'bob@far.example']; account: string }) =>
    input.handles ? { records: [records[input.handles[0]]] } : { relationship: relationships[input.account] }
  const asking = { ...operator, call } as unknown as Operator
  expect((await textOf(asking, 'account', 'relationship', 'alice', 'bob@far.example')).split('\n')).toEqual([
    '@alice follows @bob@far.example: no',
    '@alice blocks @bob@far.example: no',
    '@alice blocks the domain of @bob@far.example: yes',
    '@alice mutes @bob@far.example: no',
    '@bob@far.example follows @alice: waits for approval',
    '@bob@far.example blocks @alice: no',
  ])
})
