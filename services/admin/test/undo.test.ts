/** Undo of every action of the audit log: the state after it equals the state before the action, or there is a reason. */
import * as admin from '@murmuration/contracts/admin'
import { AUDIT_ACTIONS, type AuditAction } from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES, permissionsOf } from '@murmuration/contracts/permissions'
import { name as identifier, sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reversibleActions } from '../src/undo/registry.js'
import { FINAL } from '../src/undo/rules.js'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let olga: Viewer
let mona: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  olga = as(who(harness, '13'))
  mona = as(who(harness, '11'))
})
afterAll(() => harness.cluster.stop())

const db = () => harness.cluster.db('admin')
const newest = async () => {
  const [entry] = await call(admin.browseAuditLog, { limit: 1 }, olga)
  if (!entry) throw new Error('the audit log is empty')
  return entry
}
const undo = (id: string, by: Viewer | null = olga) => call(admin.undoAuditLogEntry, { id }, by)
const obstacle = async (id: string, by = olga) =>
  (await call(admin.showAuditLogEntry, { id }, by)).obstacle?.code ?? null

/** Rows of a table without those that were removed, and without times of changes. */
const rowsOf = async (table: string): Promise<object[]> => {
  const rows = await db().rows<Record<string, unknown>>(sql`select * from ${identifier(table)} order by 1`)
  return rows.filter((row) => !row.removed_at).map(({ removed_at: _removed, updated_at: _updated, ...row }) => row)
}

interface Case {
  action: AuditAction
  table: string
  /** Creates the row that the action needs. Returns its id. */
  prepare?: () => Promise<string>
  run: (id: string) => Promise<unknown>
}
const idOf = async (made: Promise<{ id: string }>): Promise<string> => (await made).id
let count = 0
const fresh = (): string => `case${++count}`

const domainBlock = () =>
  idOf(call(admin.createDomainBlock, { domain: `${fresh()}.example`, severity: 'suspend' }, olga))
const ipBlock = () =>
  idOf(
    call(
      admin.createIpBlock,
      { ip: `192.0.2.${++count}`, severity: 'no_access', comment: 'Spam', expires_in: '9999' },
      olga,
    ),
  )
const usernameBlock = () => idOf(call(admin.createUsernameBlock, { username: fresh(), exact: true }, olga))
const rule = () => idOf(call(admin.createRule, { text: fresh(), hint: 'Hint' }, olga))
const announcement = () => idOf(call(admin.createAnnouncement, { text: fresh() }, olga))
const preset = () => idOf(call(admin.createWarningPreset, { title: fresh(), text: 'Text' }, olga))
const webhook = () =>
  idOf(call(admin.createWebhook, { url: `https://hooks.example/${fresh()}`, events: ['report.created'] }, olga))
const report = () => idOf(call(admin.createReport, { account_id: '102' }, as(who(harness, '101'))))
const resolved = async () => {
  const id = await report()
  await call(admin.resolveReport, { id }, mona)
  return id
}
const assigned = async () => {
  const id = await report()
  await call(admin.assignReportToSelf, { id }, mona)
  return id
}

let reportWithNote = ''
const reportNote = async (): Promise<string> => {
  reportWithNote = await report()
  return idOf(call(admin.createReportNote, { id: reportWithNote, text: 'Seen before' }, olga))
}

const cases: Case[] = [
  {
    action: 'create_domain_block',
    table: 'domain_blocks',
    run: () => call(admin.createDomainBlock, { domain: `${fresh()}.example`, public_comment: 'Spam' }, olga),
  },
  {
    action: 'update_domain_block',
    table: 'domain_blocks',
    prepare: domainBlock,
    run: (id) =>
      call(admin.updateDomainBlock, { id, severity: 'silence', reject_media: true, private_comment: 'x' }, olga),
  },
  {
    action: 'destroy_domain_block',
    table: 'domain_blocks',
    prepare: domainBlock,
    run: (id) => call(admin.removeDomainBlock, { id }, olga),
  },
  {
    action: 'create_domain_allow',
    table: 'domain_allows',
    run: () => call(admin.createDomainAllow, { domain: `${fresh()}.example` }, olga),
  },
  {
    action: 'destroy_domain_allow',
    table: 'domain_allows',
    prepare: () => idOf(call(admin.createDomainAllow, { domain: `${fresh()}.example` }, olga)),
    run: (id) => call(admin.removeDomainAllow, { id }, olga),
  },
  {
    action: 'create_ip_block',
    table: 'ip_blocks',
    run: () => call(admin.createIpBlock, { ip: `198.51.100.${++count}`, severity: 'sign_up_block' }, olga),
  },
  {
    action: 'update_ip_block',
    table: 'ip_blocks',
    prepare: ipBlock,
    run: (id) =>
      call(admin.updateIpBlock, { id, ip: `203.0.113.${++count}`, severity: 'sign_up_block', expires_in: '' }, olga),
  },
  {
    action: 'destroy_ip_block',
    table: 'ip_blocks',
    prepare: ipBlock,
    run: (id) => call(admin.removeIpBlock, { id }, olga),
  },
  {
    action: 'create_email_domain_block',
    table: 'email_domain_blocks',
    run: () => call(admin.createEmailDomainBlock, { domain: `${fresh()}.example`, allow_with_approval: true }, olga),
  },
  {
    action: 'destroy_email_domain_block',
    table: 'email_domain_blocks',
    prepare: () => idOf(call(admin.createEmailDomainBlock, { domain: `${fresh()}.example` }, olga)),
    run: (id) => call(admin.removeEmailDomainBlock, { id }, olga),
  },
  {
    action: 'create_canonical_email_block',
    table: 'canonical_email_blocks',
    run: () => call(admin.createCanonicalEmailBlock, { email: `${fresh()}@mail.example` }, olga),
  },
  {
    action: 'destroy_canonical_email_block',
    table: 'canonical_email_blocks',
    prepare: () => idOf(call(admin.createCanonicalEmailBlock, { email: `${fresh()}@mail.example` }, olga)),
    run: (id) => call(admin.removeCanonicalEmailBlock, { id }, olga),
  },
  {
    action: 'create_username_block',
    table: 'username_blocks',
    run: () => call(admin.createUsernameBlock, { username: fresh() }, olga),
  },
  {
    action: 'update_username_block',
    table: 'username_blocks',
    prepare: usernameBlock,
    run: (id) => call(admin.updateUsernameBlock, { id, username: fresh(), exact: false }, olga),
  },
  {
    action: 'destroy_username_block',
    table: 'username_blocks',
    prepare: usernameBlock,
    run: (id) => call(admin.removeUsernameBlock, { id }, olga),
  },
  { action: 'create_rule', table: 'rules', run: () => call(admin.createRule, { text: fresh() }, olga) },
  {
    action: 'update_rule',
    table: 'rules',
    prepare: rule,
    run: (id) => call(admin.updateRule, { id, text: fresh(), translations: { de: { text: 'Nein' } } }, olga),
  },
  { action: 'destroy_rule', table: 'rules', prepare: rule, run: (id) => call(admin.removeRule, { id }, olga) },
  {
    action: 'order_rules',
    table: 'rules',
    prepare: async () => {
      await rule()
      return rule()
    },
    run: async () => {
      const ids = (await call(admin.listRules, {})).map((one) => one.id)
      await call(admin.orderRules, { ids }, olga)
      await call(admin.orderRules, { ids: ids.toReversed() }, olga)
    },
  },
  {
    action: 'create_announcement',
    table: 'announcements',
    run: () => call(admin.createAnnouncement, { text: fresh() }, olga),
  },
  {
    action: 'update_announcement',
    table: 'announcements',
    prepare: announcement,
    run: (id) => call(admin.updateAnnouncement, { id, text: fresh(), published: false }, olga),
  },
  {
    action: 'destroy_announcement',
    table: 'announcements',
    prepare: async () => {
      const id = await announcement()
      await call(admin.reactToAnnouncement, { id, name: '🎉' }, mona)
      return id
    },
    run: (id) => call(admin.removeAnnouncement, { id }, olga),
  },
  {
    action: 'create_warning_preset',
    table: 'warning_presets',
    run: () => call(admin.createWarningPreset, { title: fresh(), text: 'Text' }, olga),
  },
  {
    action: 'update_warning_preset',
    table: 'warning_presets',
    prepare: preset,
    run: (id) => call(admin.updateWarningPreset, { id, text: fresh() }, olga),
  },
  {
    action: 'destroy_warning_preset',
    table: 'warning_presets',
    prepare: preset,
    run: (id) => call(admin.removeWarningPreset, { id }, olga),
  },
  {
    action: 'update_setting',
    table: 'settings',
    run: () => call(admin.setSetting, { name: 'max_characters', value: 600 + ++count }, olga),
  },
  {
    action: 'resolve_report',
    table: 'reports',
    prepare: report,
    run: (id) => call(admin.resolveReport, { id }, mona),
  },
  {
    action: 'reopen_report',
    table: 'reports',
    prepare: resolved,
    run: (id) => call(admin.reopenReport, { id }, mona),
  },
  {
    action: 'assigned_to_self_report',
    table: 'reports',
    prepare: report,
    run: (id) => call(admin.assignReportToSelf, { id }, mona),
  },
  {
    action: 'assign_report',
    table: 'reports',
    prepare: report,
    run: (id) => call(admin.assignReport, { id, account_id: '12' }, mona),
  },
  {
    action: 'create_report_note',
    table: 'staff_notes',
    prepare: report,
    run: (id) => call(admin.createReportNote, { id, text: 'Seen before' }, olga),
  },
  {
    action: 'destroy_report_note',
    table: 'staff_notes',
    prepare: async () => reportNote(),
    run: (id) => call(admin.removeReportNote, { id: reportWithNote, note_id: id }, olga),
  },
  {
    action: 'create_account_note',
    table: 'staff_notes',
    run: () => call(admin.createAccountNote, { id: '101', text: 'Seen before' }, olga),
  },
  {
    action: 'destroy_account_note',
    table: 'staff_notes',
    prepare: () => idOf(call(admin.createAccountNote, { id: '101', text: 'Seen before' }, olga)),
    run: (id) => call(admin.removeAccountNote, { id: '101', note_id: id }, olga),
  },
  {
    action: 'unassigned_report',
    table: 'reports',
    prepare: assigned,
    run: (id) => call(admin.unassignReport, { id }, mona),
  },
  {
    action: 'update_report',
    table: 'reports',
    prepare: report,
    run: (id) => call(admin.updateAdminReport, { id, category: 'spam' }, mona),
  },
  {
    action: 'rotate_secret_webhook',
    table: 'webhooks',
    prepare: webhook,
    run: (id) => call(admin.rotateWebhookSecret, { id }, olga),
  },
  { action: 'create_webhook', table: 'webhooks', run: webhook },
  {
    action: 'update_webhook',
    table: 'webhooks',
    prepare: webhook,
    run: (id) => call(admin.updateWebhook, { id, url: 'https://other.example/', events: ['account.created'] }, olga),
  },
  {
    action: 'disable_webhook',
    table: 'webhooks',
    prepare: webhook,
    run: (id) => call(admin.disableWebhook, { id }, olga),
  },
  {
    action: 'enable_webhook',
    table: 'webhooks',
    prepare: async () => {
      const id = await webhook()
      await call(admin.disableWebhook, { id }, olga)
      return id
    },
    run: (id) => call(admin.enableWebhook, { id }, olga),
  },
  {
    action: 'destroy_webhook',
    table: 'webhooks',
    prepare: webhook,
    run: (id) => call(admin.removeWebhook, { id }, olga),
  },
]

/** Test file → actions whose round trip it tests, because they need other services. */
const ELSEWHERE: Record<string, readonly string[]> = {
  'strike-statuses.test.ts': ['update_status'],
  'undo-elsewhere.test.ts': AUDIT_ACTIONS.filter(
    (action) =>
      /(_user_role|_role_user|_token_user|memorialize_account|_invite|_custom_emoji|_relay|_tag|_trend_\w+)$/.test(
        action,
      ) && !(action in FINAL),
  ),
  'undo-account.test.ts': ['user', 'account'].flatMap((target) =>
    reversibleActions().filter((action) => action.endsWith(`_${target}`) && !/_token_user|memorialize/.test(action)),
  ),
}

test('each action of the audit log has a tested reversal, or a reason why it is final', () => {
  const reversible = new Set(reversibleActions())
  const tested = new Set<string>([...cases.map((one) => one.action), ...Object.values(ELSEWHERE).flat()])
  expect(AUDIT_ACTIONS.filter((action) => reversible.has(action) === action in FINAL)).toEqual([])
  expect([...reversible].filter((action) => !tested.has(action))).toEqual([])
  expect([...tested].filter((action) => !reversible.has(action))).toEqual([])
})

describe('the state after undo equals the state before, and after a second undo the state after', () => {
  test.each(cases.map((one) => [one.action, one] as const))('%s', async (action, { table, prepare, run }) => {
    const id = (await prepare?.()) ?? ''
    const before = await rowsOf(table)
    await run(id)
    const [after, entry] = [await rowsOf(table), await newest()]
    expect(entry.action).toBe(action)
    expect(after).not.toEqual(before)
    expect(await obstacle(entry.id)).toBeNull()
    const undone = await undo(entry.id)
    expect(await rowsOf(table)).toEqual(before)
    expect([undone.undoes, undone.target_id]).toEqual([entry.id, entry.target_id])
    expect(AUDIT_ACTIONS).toContain(undone.action)
    expect(await obstacle(entry.id)).toBe('already_undone')
    await undo(undone.id)
    expect(await rowsOf(table)).toEqual(after)
    expect(await call(admin.verifyAuditLog, {})).toMatchObject({ problem: null })
    await harness.cluster.waitForIdle()
  })
})

describe('an undo is refused after a later change of the same row', () => {
  test.each(cases.map((one) => [one.action, one] as const))('%s', async (_action, { table, prepare, run }) => {
    const id = (await prepare?.()) ?? ''
    await run(id)
    const entry = await newest()
    const undone = await undo(entry.id)
    await undo(undone.id)
    const state = await rowsOf(table)
    // The first entry cannot be undone, because the second undo was after it.
    await expect(undo(undone.id)).rejects.toMatchObject({ status: 409 })
    await expect(undo(entry.id)).rejects.toMatchObject({ status: 409 })
    expect(await rowsOf(table)).toEqual(state)
  })

  test('a changed row keeps the later change, and other fields do not matter', async () => {
    const id = await rule()
    await call(admin.updateRule, { id, text: 'second' }, olga)
    const entry = await newest()
    await call(admin.updateRule, { id, hint: 'new hint' }, olga)
    await undo(entry.id)
    expect((await call(admin.listRules, {})).find((one) => one.id === id)).toMatchObject({ hint: 'new hint' })
    await call(admin.updateRule, { id, text: 'third' }, olga)
    const third = await newest()
    await call(admin.updateRule, { id, text: 'fourth' }, olga)
    expect(await obstacle(third.id)).toBe('changed_since')
    await expect(undo(third.id)).rejects.toMatchObject({
      status: 409,
      message: 'The state has changed since this action',
      extras: { body: { reason: 'changed_since' } },
    })
  })

  test('a removed row is not restored if another has taken its place', async () => {
    const domain = `${fresh()}.example`
    const id = await idOf(call(admin.createDomainBlock, { domain }, olga))
    await call(admin.removeDomainBlock, { id }, olga)
    const entry = await newest()
    await call(admin.createDomainBlock, { domain }, olga)
    expect(await obstacle(entry.id)).toBe('is_taken')
    await call(admin.createIpBlock, { ip: '10.1.0.0/16', severity: 'no_access' }, olga)
    const [block] = await call(admin.listIpBlocks, { limit: 1 }, olga)
    await call(admin.removeIpBlock, { id: block?.id ?? '' }, olga)
    const removed = await newest()
    await call(admin.createIpBlock, { ip: '10.1.0.0/16', severity: 'no_access' }, olga)
    await expect(undo(removed.id)).rejects.toMatchObject({ status: 422, extras: { body: { reason: 'is_taken' } } })
  })

  test('an IP block that would have expired is not restored', async () => {
    const id = await ipBlock()
    await call(admin.removeIpBlock, { id }, olga)
    const entry = await newest()
    const late = { ...entry, before: { ...(entry.before as object), expires_at: '2020-01-01T00:00:00.000Z' } }
    await db().run(sql`update audit_log set before = ${JSON.stringify(late.before)} where id = ${entry.id}`)
    await expect(undo(entry.id)).rejects.toMatchObject({ extras: { body: { reason: 'is_expired' } } })
    await db().run(sql`update audit_log set before = ${JSON.stringify(entry.before)} where id = ${entry.id}`)
  })
})

test('reactions to an announcement are restored with it', async () => {
  const id = await announcement()
  await call(admin.reactToAnnouncement, { id, name: '🎉' }, mona)
  await call(admin.removeAnnouncement, { id }, olga)
  expect(await call(admin.listAnnouncements, {}, mona)).not.toContainEqual(expect.objectContaining({ id }))
  await undo((await newest()).id)
  const shown = await call(admin.listAnnouncements, {}, mona)
  expect(shown.find((one) => one.id === id)?.reactions).toMatchObject([{ name: '🎉', count: 1, me: true }])
})

test('a webhook is restored with its secret', async () => {
  const id = await webhook()
  const { secret } = await call(admin.showWebhook, { id }, olga)
  await call(admin.removeWebhook, { id }, olga)
  await expect(call(admin.showWebhook, { id }, olga)).rejects.toMatchObject({ code: 'not_found' })
  await undo((await newest()).id)
  expect(await call(admin.showWebhook, { id }, olga)).toMatchObject({ secret })
  expect(JSON.stringify(await call(admin.browseAuditLog, { target_id: id }, olga))).not.toMatch(/case\d|secret"/)
  await db().run(sql`delete from audit_hidden`)
  await call(admin.rotateWebhookSecret, { id }, olga)
  await db().run(sql`delete from audit_hidden`)
  expect(await obstacle((await newest()).id)).toBe('is_deleted')
})

test('a published setting and a block are restored before the response', async () => {
  const before = harness.ctx.policy.settings().registrations_mode
  await call(admin.setSetting, { name: 'registrations_mode', value: 'approved' }, olga)
  await undo((await newest()).id)
  expect(harness.ctx.policy.settings().registrations_mode).toBe(before)
  const id = await domainBlock()
  const domain = (await call(admin.showDomainBlock, { id }, olga)).domain
  await undo((await newest()).id)
  await expect.poll(() => harness.ctx.policy.domainRule(domain)).toBeNull()
})

test('undo on a webhook requires the permissions of its events before and after', async () => {
  const id = await webhook()
  await call(admin.updateWebhook, { id, events: ['status.created'] }, olga)
  const entry = await newest()
  const ada = { ...as(who(harness, '12')), permissions: DEFAULT_ROLES.admin.permissions }
  expect(await obstacle(entry.id, ada)).toBe('not_permitted')
  await expect(undo(entry.id, ada)).rejects.toMatchObject({ status: 403 })
})

test('S-175 the undo of each action requires the permission of the action', async () => {
  const reader = { ...olga, permissions: permissionsOf('view_audit_log') }
  const entries = await call(admin.browseAuditLog, { limit: 200 }, olga)
  const open = entries.filter((one) => reversibleActions().includes(one.action) && one.undone_by === null)
  expect(open.length).toBeGreaterThan(30)
  const codes = await Promise.all(open.map(({ id }) => obstacle(id, reader)))
  expect(codes.filter((code) => code !== 'not_permitted')).toEqual([])
})

test('entries of older releases without states are refused with that reason', async () => {
  const id = await domainBlock()
  const entry = await newest()
  await db().run(sql`update audit_log set after = null where id = ${entry.id}`)
  expect(await obstacle(entry.id)).toBe('not_recorded')
  await db().run(sql`update audit_log set after = ${JSON.stringify(entry.after)} where id = ${entry.id}`)
  await call(admin.removeDomainBlock, { id }, olga)
})
