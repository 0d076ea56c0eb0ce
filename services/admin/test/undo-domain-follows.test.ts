/** Undo of domain blocks, and the follows of local accounts that they ended. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, putRemote } from '@murmuration/contracts/accounts'
import {
  browseAuditLog,
  createDomainBlock,
  removeDomainBlock,
  undoAuditLogEntry,
  updateDomainBlock,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'

let cluster: Cluster
let ada: Viewer
let count = 0
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts] })
  const email = 'ada@mail.example'
  const made = { username: 'ada', email, confirmed: true, role: 'Admin' }
  const { permissions, position } = DEFAULT_ROLES.admin
  ada = viewer((await cluster.call(createAccountByOperator, made)).id, { permissions, position })
})
afterAll(() => cluster.stop())

/** A domain with an account that ada follows. */
const followed = async () => {
  const domain = `far${++count}.example`
  const { record } = await cluster.call(putRemote, { actor: remoteActor('rita', domain) })
  await cluster.db('accounts').run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    values (${count}, ${ada.id}, ${record.id}, true, now())`)
  return { domain, id: record.id }
}
const relationsTo = async (id: string) => {
  await cluster.waitForIdle()
  const db = cluster.db('accounts')
  const [follows, requests] = await Promise.all([
    db.rows(sql`select 1 from follows where target_id = ${id}`),
    db.rows(sql`select 1 from follow_requests where target_id = ${id}`),
  ])
  return { follows: follows.length, requests: requests.length }
}
const undoNewest = async () => {
  const [entry] = await cluster.call(browseAuditLog, { limit: 1 }, ada)
  await cluster.call(undoAuditLogEntry, { id: entry?.id ?? '' }, ada)
}

test('undo of a suspending block requests the follows again, and undo of that ends the requests', async () => {
  const { domain, id } = await followed()
  await cluster.call(createDomainBlock, { domain, severity: 'suspend' }, ada)
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 0 })
  await undoNewest()
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 1 })
  await undoNewest()
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 0 })
  await undoNewest()
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 1 })
})

test('undo of a change from limit to suspension requests the follows again', async () => {
  const { domain, id } = await followed()
  const block = await cluster.call(createDomainBlock, { domain, severity: 'silence' }, ada)
  await cluster.call(updateDomainBlock, { id: block.id, severity: 'suspend' }, ada)
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 0 })
  await undoNewest()
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 1 })
})

test('removing or changing a block without undo requests no follows', async () => {
  const [one, other] = [await followed(), await followed()]
  for (const { domain } of [one, other]) await cluster.call(createDomainBlock, { domain, severity: 'suspend' }, ada)
  await cluster.waitForIdle()
  const blocks = await cluster
    .db('admin')
    .rows<{ id: string; domain: string }>(
      sql`select id, domain from domain_blocks where domain = any(${[one.domain, other.domain]})`,
    )
  const idOf = (domain: string) => blocks.find((block) => block.domain === domain)?.id ?? ''
  await cluster.call(removeDomainBlock, { id: idOf(one.domain) }, ada)
  await cluster.call(updateDomainBlock, { id: idOf(other.domain), severity: 'noop' }, ada)
  expect(await relationsTo(one.id)).toEqual({ follows: 0, requests: 0 })
  expect(await relationsTo(other.id)).toEqual({ follows: 0, requests: 0 })
})

test('follows are requested again only after the policy without the block is published', async () => {
  const { domain, id } = await followed()
  await cluster.call(createDomainBlock, { domain, severity: 'suspend' }, ada)
  await cluster.waitForIdle()
  const ctxOf = (service: string) => cluster.host.running.find((one) => one.service === service)?.ctx as Context
  const policy = ctxOf('accounts').policy
  await expect.poll(() => policy.domainRule(domain)?.severity).toBe('suspend')
  const { publication } = ctxOf('admin')
  const afterChange = vi.spyOn(publication, 'afterChange').mockResolvedValue()
  const publish = vi.spyOn(publication, 'publish').mockRejectedValueOnce(new Error('the bus is away'))
  await undoNewest()
  await expect.poll(() => publish.mock.calls.length).toBe(1)
  expect(await cluster.db('accounts').rows(sql`select 1 from follow_requests where target_id = ${id}`)).toEqual([])
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 1 })
  await expect.poll(() => policy.domainRule(domain)).toBeNull()
  afterChange.mockRestore()
  publish.mockRestore()
})

test('a block of the parent domain that is still in force keeps the follows ended', async () => {
  const { domain, id } = await followed()
  await cluster.call(createDomainBlock, { domain, severity: 'suspend' }, ada)
  await cluster.waitForIdle()
  const [entry] = await cluster.call(browseAuditLog, { limit: 1 }, ada)
  await cluster.call(createDomainBlock, { domain: 'example', severity: 'suspend' }, ada)
  await cluster.waitForIdle()
  await cluster.call(undoAuditLogEntry, { id: entry?.id ?? '' }, ada)
  expect(await relationsTo(id)).toEqual({ follows: 0, requests: 0 })
})
