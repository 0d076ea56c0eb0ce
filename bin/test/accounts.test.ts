/** Commands for accounts, on running services. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, admin, federation, media, statuses] })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const create = (name: string) => ctl('account', 'create', name, '--email', `${name}@mail.example`, '--confirmed')
const login = (name: string) =>
  cluster.db('accounts').row(sql`select u.email, u.disabled, r.name as role from users u
    join accounts a on a.id = u.account_id left join roles r on r.id = u.role_id where a.username = ${name}`)
/** Actions in the audit log, without the creation of accounts. */
const audited = async () =>
  (
    await cluster.db('admin').rows<{ action: string }>(sql`select action from audit_log
    where action <> 'create_user' order by id`)
  ).map((one) => one.action)

test('account modify makes the changes of its flags in order, each with an entry in the audit log', async () => {
  await create('alice')
  const text = await ctl(
    ...['account', 'modify', '@alice', '--email', 'a2@mail.example', '--confirm', '--role', 'moderator', '--disable'],
  )
  expect(text.split('\n')).toEqual([
    '@alice: e-mail address a2@mail.example',
    '@alice: role moderator',
    '@alice: disabled',
  ])
  expect(await login('alice')).toEqual({ email: 'a2@mail.example', disabled: true, role: 'Moderator' })
  const data = (await dataOf(
    operator,
    ...['account', 'modify', 'alice', '--enable', '--remove-role', '--reset-password', '--disable-2fa'],
  )) as { done: string[]; password: string }
  expect(data).toMatchObject({ done: ['no role', 'enabled', 'no second factor'] })
  expect(data.password.length).toBeGreaterThan(20)
  expect(await login('alice')).toEqual({ email: 'a2@mail.example', disabled: false, role: null })
  await cluster.waitForIdle()
  expect((await audited()).toSorted()).toEqual(
    [
      ...['change_email_user', 'change_role_user', 'disable_user', 'enable_user', 'change_role_user'],
      'reset_password_user',
    ].toSorted(),
  )
})

test('account modify marks an account as a memorial', async () => {
  await create('deceased')
  expect(await ctl('account', 'modify', 'deceased', '--memorial')).toBe('@deceased: memorial')
  expect(
    await cluster.db('accounts').row(sql`select memorial from accounts where username = 'deceased' and domain is null`),
  ).toEqual({ memorial: true })
})

test('the error of a refused change lists the changes before it', async () => {
  await create('bob')
  const { status, error } = await runWords(
    operator,
    ...['account', 'modify', 'bob', '--email', 'b2@mail.example', '--confirm', '--role', 'King'],
  )
  expect([status, error]).toEqual([1, 'Done: e-mail address b2@mail.example\nThere is no role named King.'])
  expect(await runWords(operator, 'account', 'modify', 'nobody', '--enable')).toMatchObject({
    status: 1,
    error: 'There is no account named nobody.',
  })
})

test('account delete with --dry-run changes nothing; without it the account is deleted and its username stays reserved', async () => {
  await create('carol')
  expect(await ctl('account', 'delete', 'carol', '--dry-run')).toBe('Would remove: @carol: 0 statuses, 0 followers')
  expect(await login('carol')).not.toBeNull()
  expect(await ctl('account', 'delete', 'carol')).toBe('Removed.')
  expect(await login('carol')).toBeNull()
  await expect(create('carol')).rejects.toThrow('already been taken')
  // The e-mail address is not blocked, so another account can use it.
  await ctl('account', 'create', 'carol2', '--email', 'carol@mail.example', '--confirmed')
  await cluster.waitForIdle()
  expect((await audited()).at(-1)).toBe('destroy_account')
})

test('keys are rotated, all accounts follow and unfollow an account, and tasks are listed, shown and stopped', async () => {
  await create('dora')
  await create('erik')
  expect(await ctl('account', 'rotate-keys', 'dora')).toBe('@dora has a new key.')
  expect(await ctl('account', 'rotate-keys', '--all')).toMatch(/^\d of \d accounts have a new key$/)
  expect(await ctl('account', 'follow', 'dora', '--dry-run')).toMatch(/^Would follow from \d of \d accounts$/)
  expect(await ctl('account', 'follow', 'dora')).toMatch(/^(\d) of \d accounts follow now$/)
  expect(await ctl('account', 'reset-relationships', 'erik', '--follows', '--followers')).toBe(
    'following: 1 of 1 relations ended\nfollowers: 0 of 0 relations ended',
  )
  expect(await ctl('account', 'unfollow', 'dora')).toMatch(/^[1-9] of [1-9] relations ended$/)
  const listed = (await dataOf(operator, 'task', 'list')) as { id: string; kind: string; dry_run: boolean }[]
  expect(listed.map((one) => one.kind).toSorted()).toEqual([
    'end-follows',
    'end-follows',
    'end-follows',
    'follow-account',
    'follow-account',
    'rotate-keys',
  ])
  const id = listed[0]?.id ?? ''
  expect(await ctl('task', 'show', 'accounts', id, '--follow')).toContain(`${id}  accounts  ${listed[0]?.kind}`)
  expect(await dataOf(operator, 'task', 'stop', 'accounts', id)).toMatchObject({ state: 'done' })
})

test('data of another server is purged, and accounts of a server that does not respond are kept', async () => {
  await cluster.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 7000 + n, 'm' || n, 'dead.example', 'https://dead.example/' || n, '', now() from generate_series(1, 3) n`)
  // This cluster has no fetch role, as if all other servers were down.
  expect(await ctl('account', 'cull', 'dead.example')).toBe('0 of 3 accounts removed, asked: 3, unavailable: 3')
  const refreshed = await runWords(operator, 'account', 'refresh', 'm1@dead.example')
  expect([refreshed.status, refreshed.text]).toEqual([1, 'm1@dead.example  unavailable'])
  const some = await runWords(operator, 'account', 'refresh', 'm0@dead.example', 'm2@dead.example', '--dry-run')
  expect([some.status, some.text]).toEqual([1, 'm0@dead.example  unknown\nm2@dead.example  counted'])
  expect(await ctl('domain', 'purge', 'dead.example', '--dry-run')).toBe('Would remove 3 of 3 accounts')
  expect(await ctl('domain', 'purge', 'dead.example')).toBe('3 of 3 accounts removed')
  expect(await ctl('account', 'prune', '--dry-run')).toMatch(/^Would remove 0 of \d accounts$/)
  expect(await ctl('account', 'refresh', '--all')).toMatch(/^0 of 0 accounts fetched$/)
})

test('lists with invalid domains are imported with exit status 1, and empty lists say so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))
  const saved = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const [empty, mixed] = [saved('empty.csv', ''), saved('mixed.csv', '#domain\nno domain\ngood.example\n')]
  const run = (...words: string[]) => runWords(operator, ...words)
  const blocked = await run('domain-block', 'import', mixed)
  expect([blocked.status, blocked.text]).toEqual([
    1,
    expect.stringContaining('1 blocked, 0 known before, 1 not imported'),
  ])
  expect((await run('domain-block', 'import', mixed, '--dry-run')).status).toBe(1)
  expect(await ctl('domain-block', 'import', empty)).toBe('0 blocked, 0 known before, 0 not imported')
  const allowed = await run('domain-allow', 'import', mixed)
  expect([allowed.status, allowed.text]).toEqual([1, 'no domain  invalid\ngood.example  allowed'])
  expect(await ctl('domain-allow', 'import', empty)).toBe('The list has no domains.')
  await ctl('domain-block', 'remove', 'good.example')
  await ctl('domain-allow', 'remove', 'good.example')
  rmSync(folder, { recursive: true })
})
