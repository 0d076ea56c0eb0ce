/** The order of entries of the audit log about actions in other services. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, createRole, roleChanged, updateRole } from '@murmuration/contracts/accounts'
import { browseAuditLog, exportAuditLog, showAuditLogEntry, verifyAuditLog } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { createIds } from '@murmuration/kernel'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onRoleChanged } from '../src/audit-log/reactions.js'
import { app } from '../src/main.js'

let cluster: Cluster
let olga: Viewer
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts] })
  const { name, permissions, position } = DEFAULT_ROLES.owner
  const made = await cluster.call(createAccountByOperator, {
    username: 'olga',
    email: 'olga@mail.example',
    confirmed: true,
    role: name,
  })
  olga = viewer(made.id, { permissions, position })
})
afterAll(() => cluster.stop())

const at = (ms: number) => createIds({ now: () => ms }).next()
const handle = async (eventId: string, targetId: string, after: string) => {
  const ctx = cluster.host.running.find(({ service }) => service === 'admin')?.ctx
  const staffAct = { by: olga.id, action: 'update_user_role', targetId, target: 'Helpers', before: null, after }
  const time = Number(BigInt(eventId) >> 16n)
  await onRoleChanged.run(ctx, { ...staffAct, eventId, at: time, consumer: `test-${targetId}` })
}
const entriesOf = (target_id: string) => cluster.call(browseAuditLog, { target_id }, olga)

test('entries are listed in the order of the actions, independent of the order of events', async () => {
  const [first, second] = [at(1_780_000_000_000), at(1_780_000_000_500)]
  await handle(second, '71', 'second')
  await handle(first, '71', 'first')
  expect(await entriesOf('71')).toMatchObject([
    { id: second, after: 'second', at: '2026-05-28T20:26:40.500Z' },
    { id: first, after: 'first', at: '2026-05-28T20:26:40.000Z' },
  ])
  await handle(first, '71', 'again')
  expect(await entriesOf('71')).toHaveLength(2)
})

test('an entry whose event has the id of another entry gets an id of the same time', async () => {
  const id = at(1_780_000_001_000)
  await handle(id, '72', 'one')
  await handle(id, '73', 'other')
  const [entry] = await entriesOf('73')
  expect(entry).toMatchObject({ after: 'other', at: '2026-05-28T20:26:41.000Z' })
  expect(entry?.id).not.toBe(id)
})

test('an action of a newer release is recorded, and cannot be undone', async () => {
  const by = { by: olga.id, targetId: '74', target: 'Helpers', before: null, after: null }
  const accountsCtx = cluster.host.running.find(({ service }) => service === 'accounts')?.ctx
  if (accountsCtx === undefined) throw new Error('accounts does not run')
  await accountsCtx.db.tx((tx) =>
    accountsCtx.announce(tx, roleChanged, { ...by, action: 'freeze_role' as 'create_user_role' }),
  )
  await cluster.waitForIdle()
  const [entry] = await entriesOf('74')
  expect(entry).toMatchObject({ action: 'freeze_role', target: 'Helpers' })
  expect(await cluster.call(showAuditLogEntry, { id: entry?.id ?? '' }, olga)).toMatchObject({
    reversible: false,
    obstacle: { code: 'not_recorded' },
  })
})

test('the chain has the order of the actions of one service', async () => {
  const { id } = await cluster.call(createRole, { name: 'Watchers', position: 5, permissions: [] }, olga)
  for (let position = 10; position < 40; position++) await cluster.call(updateRole, { id, position }, olga)
  await cluster.waitForIdle()
  const { entries } = await cluster.call(exportAuditLog, { after: '0', limit: 200 })
  const about = entries.map(({ entry }) => JSON.parse(entry)).filter((entry) => entry.target_id === id)
  expect(about.map((entry) => entry.after.position)).toEqual([5, ...Array.from({ length: 30 }, (_, n) => n + 10)])
  expect(about.map((entry) => entry.id)).toEqual(about.map((entry) => entry.id).toSorted())
  expect(await cluster.call(verifyAuditLog, {})).toMatchObject({ problem: null, more: false })
})

test('an entry whose hash was removed in the database is reported, and the export shows it', async () => {
  const db = cluster.db('admin')
  const { entries } = await cluster.call(exportAuditLog, { after: '0', limit: 200 })
  const last = entries.at(-1)?.seq ?? ''
  await db.run(sql`update audit_log set hash = null, entry = null where seq = ${last}`)
  expect(await cluster.call(verifyAuditLog, {})).toMatchObject({ problem: { seq: last, reason: 'changed' } })
  const after = await cluster.call(exportAuditLog, { after: '0', limit: 200 })
  expect(after.entries.at(-1)).toEqual({ seq: last, hash: '', entry: '' })
})
