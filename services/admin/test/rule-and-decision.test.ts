/** Limits and suspensions by a domain rule and by staff on the same account: each ends separately. */
import { app as accounts } from '@murmuration/accounts'
import { accountAdminRecords, createAccountByOperator, putRemote, removeRemote } from '@murmuration/contracts/accounts'
import {
  actOnAccount,
  browseAuditLog,
  createDomainBlock,
  removeDomainBlock,
  showAuditLogEntry,
  undoAuditLogEntry,
  unsilenceAccount,
  unsuspendAccount,
  verifyAuditLog,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let ada: Viewer
let count = 0
let domain: string
let eve: string

beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts] })
  const { id } = await cluster.call(createAccountByOperator, {
    username: 'ada',
    email: 'ada@mail.example',
    confirmed: true,
    role: 'Admin',
  })
  ada = viewer(id, { permissions: DEFAULT_ROLES.admin.permissions, position: DEFAULT_ROLES.admin.position })
})
afterAll(() => cluster.stop())
beforeEach(async () => {
  domain = `site${++count}.example`
  eve = (await cluster.call(putRemote, { actor: remoteActor('eve', domain) })).record.id
})

const undo = (id: string) => cluster.call(undoAuditLogEntry, { id }, ada)
const newest = async (action?: string): Promise<string> => {
  const [entry] = await cluster.call(browseAuditLog, { limit: 1, action }, ada)
  if (!entry) throw new Error('the audit log has no such entry')
  return entry.id
}

describe.each([
  ['silence', 'silenced', unsilenceAccount],
  ['suspend', 'suspended', unsuspendAccount],
] as const)('%s by a rule and by staff', (state, flag, lift) => {
  const isOn = async (): Promise<boolean> => {
    await cluster.waitForIdle()
    const [record] = (await cluster.call(accountAdminRecords, { ids: [eve] })).records
    return record?.account[flag] ?? false
  }
  const block = async (): Promise<string> => {
    const { id } = await cluster.call(createDomainBlock, { domain, severity: state }, ada)
    await cluster.waitForIdle()
    return id
  }
  const unblock = async (id: string) => {
    await cluster.call(removeDomainBlock, { id }, ada)
    await cluster.waitForIdle()
  }
  const act = async (): Promise<string> => {
    await cluster.call(actOnAccount, { id: eve, type: state }, ada)
    return newest(`${state}_account`)
  }

  /** The account deletes itself, and `meanwhile` happens before it is stored again. */
  const deleteAndReturn = async (meanwhile?: () => Promise<unknown>) => {
    const actor = remoteActor('eve', domain)
    expect(await cluster.call(removeRemote, { uri: actor.uri })).toEqual({ removed: true })
    await meanwhile?.()
    const { id } = (await cluster.call(putRemote, { actor })).record
    expect(id).not.toBe(eve)
    eve = id
  }

  test('a decision of staff outlives the deletion of the account by itself, until staff ends it', async () => {
    await act()
    await deleteAndReturn()
    expect(await isOn()).toBe(true)
    await cluster.call(lift, { id: eve }, ada)
    await deleteAndReturn()
    expect(await isOn()).toBe(false)
  })

  test('a rule that ends while the account is deleted leaves nothing behind', async () => {
    const id = await block()
    await deleteAndReturn(() => unblock(id))
    expect(await isOn()).toBe(false)
  })

  test('a decision of staff after the rule outlives the rule', async () => {
    const id = await block()
    await act()
    await unblock(id)
    expect(await isOn()).toBe(true)
    await cluster.call(lift, { id: eve }, ada)
    expect(await isOn()).toBe(false)
  })

  test('a decision of staff before the rule outlives the rule', async () => {
    await act()
    await unblock(await block())
    expect(await isOn()).toBe(true)
  })

  test('an undone decision after the rule leaves the account to the rule', async () => {
    const id = await block()
    const entry = await act()
    await undo(entry)
    expect(await isOn()).toBe(true)
    expect(await cluster.call(showAuditLogEntry, { id: await newest() }, ada)).toMatchObject({
      action: `un${state}_account`,
      after: { [flag]: true },
    })
    await unblock(id)
    expect(await isOn()).toBe(false)
  })

  test('an undone decision before the rule leaves the account to the rule', async () => {
    const entry = await act()
    const id = await block()
    const undone = await undo(entry)
    expect(await isOn()).toBe(true)
    await undo(undone.id)
    await unblock(id)
    expect(await isOn()).toBe(true)
  })

  test('an undone decision after the end of the rule ends the state of the account', async () => {
    const id = await block()
    const entry = await act()
    await unblock(id)
    const undone = await undo(entry)
    expect(await isOn()).toBe(false)
    await undo(undone.id)
    expect(await isOn()).toBe(true)
  })

  test('an undone rule leaves the account to staff', async () => {
    await block()
    const entry = await newest('create_domain_block')
    const decision = await act()
    const undone = await undo(entry)
    expect(await isOn()).toBe(true)
    await undo(undone.id)
    await undo(decision)
    expect(await isOn()).toBe(true)
    await undo(await newest('create_domain_block'))
    expect(await isOn()).toBe(false)
  })

  test('an undone exemption does not restore a rule that ended', async () => {
    const id = await block()
    await cluster.call(lift, { id: eve }, ada)
    const entry = await newest(`un${state}_account`)
    expect(await isOn()).toBe(false)
    await unblock(id)
    await undo(entry)
    expect(await isOn()).toBe(false)
  })

  test('an undone exemption restores the rule in force, and can be undone', async () => {
    await block()
    await cluster.call(lift, { id: eve }, ada)
    const undone = await undo(await newest(`un${state}_account`))
    expect(await isOn()).toBe(true)
    await undo(undone.id)
    expect(await isOn()).toBe(false)
  })

  test('a second decision of staff is undone without the first', async () => {
    const id = await block()
    await act()
    const second = await act()
    await undo(second)
    await unblock(id)
    expect(await isOn()).toBe(true)
  })

  test('an undo at the same time as the end of the rule ends the state of the account', async () => {
    const id = await block()
    const entry = await act()
    await Promise.all([undo(entry), unblock(id)])
    expect(await isOn()).toBe(false)
  })
})

test('an account that staff exempted from a limit stays exempt after its deletion, until a newer rule', async () => {
  const isLimited = async () => {
    await cluster.waitForIdle()
    return (await cluster.call(accountAdminRecords, { ids: [eve] })).records[0]?.account.silenced
  }
  const actor = remoteActor('eve', domain)
  const deleteAndReturn = async (meanwhile?: () => Promise<unknown>) => {
    await cluster.call(removeRemote, { uri: actor.uri })
    await meanwhile?.()
    eve = (await cluster.call(putRemote, { actor })).record.id
  }
  const block = async (name: string) => {
    const { id } = await cluster.call(createDomainBlock, { domain: name, severity: 'silence' }, ada)
    await cluster.waitForIdle()
    return id
  }
  const id = await block(domain)
  expect(await isLimited()).toBe(true)
  await cluster.call(unsilenceAccount, { id: eve }, ada)
  await deleteAndReturn()
  expect(await isLimited()).toBe(false)
  await deleteAndReturn(async () => {
    await cluster.call(removeDomainBlock, { id }, ada)
    await cluster.waitForIdle()
    await block(domain)
  })
  expect(await isLimited()).toBe(true)
})

test('the chain of hashes stays verifiable', async () => {
  expect(await cluster.call(verifyAuditLog, {})).toMatchObject({ problem: null, more: false })
})
