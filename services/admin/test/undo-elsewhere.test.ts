/** Undo of actions whose state other services own: roles, invitations, emoji, relays, hashtags and trends. */
import { app as accounts } from '@murmuration/accounts'
import * as fakeAccounts from '@murmuration/contracts/accounts'
import type { AuditAction } from '@murmuration/contracts/admin'
import * as admin from '@murmuration/contracts/admin'
import * as relay from '@murmuration/contracts/federation'
import type { Viewer } from '@murmuration/contracts/kit'
import * as files from '@murmuration/contracts/media'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import * as statuses from '@murmuration/contracts/statuses'
import { name as identifier, sql } from '@murmuration/db'
import { app as federation } from '@murmuration/federation'
import { app as media } from '@murmuration/media'
import { app as statusesApp } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app } from '../src/main.js'
import { closeUndos } from '../src/undo/store.js'
import { finishUndos } from '../src/undo/ticks.js'

let cluster: Cluster
let olga: Viewer
let mona: Viewer
let ada: Viewer
/** The account that becomes a memorial. Nothing can be posted in its name afterwards. */
let dora: Viewer
beforeAll(async () => {
  const env = { MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' }
  cluster = await startCluster({ apps: [app, accounts, media, statusesApp, federation], env })
  const make = async (username: string, role: keyof typeof DEFAULT_ROLES) => {
    const email = `${username}@mail.example`
    const { name, permissions, position } = DEFAULT_ROLES[role]
    const made = await cluster.call(fakeAccounts.createAccountByOperator, {
      username,
      email,
      confirmed: true,
      ...(name ? { role: name } : {}),
    })
    return viewer(made.id, { permissions, position })
  }
  olga = await make('olga', 'owner')
  mona = await make('mona', 'moderator')
  ada = await make('ada', 'admin')
  dora = await make('dora', 'moderator')
})
afterAll(() => cluster.stop())

const newest = async (action: AuditAction) => {
  const found = async () => (await cluster.call(admin.browseAuditLog, { limit: 1 }, olga))[0]
  await expect.poll(async () => (await found())?.action).toBe(action)
  const entry = await found()
  if (!entry) throw new Error('the audit log is empty')
  return entry
}
const undo = (id: string, by = olga) => cluster.call(admin.undoAuditLogEntry, { id }, by)
const obstacle = async (id: string, by = olga) =>
  (await cluster.call(admin.showAuditLogEntry, { id }, by)).obstacle?.code ?? null

/** Columns that are derived, or that change with each request to another server. */
const PASSING = new Set(['updated_at', 'follow_uri'])
const rowsOf = async (service: string, ...tables: string[]): Promise<unknown[]> =>
  Promise.all(
    tables.map(async (table) =>
      (await cluster.db(service).rows<Record<string, unknown>>(sql`select * from ${identifier(table)} order by 1`)).map(
        (row) => Object.fromEntries(Object.entries(row).filter(([column]) => !PASSING.has(column))),
      ),
    ),
  )

interface Case {
  action: AuditAction
  service: string
  tables: string[]
  prepare?: () => Promise<string>
  run: (id: string) => Promise<unknown>
  /** The undo itself is final. */
  isFinal?: true
}
let count = 0
const fresh = (): string => `case${++count}`
const role = async () => {
  const { id } = await cluster.call(
    fakeAccounts.createRole,
    { name: fresh(), position: 20, permissions: ['manage_reports'] },
    olga,
  )
  await newest('create_user_role')
  return id
}
const held = async () => {
  const id = await role()
  await cluster.call(fakeAccounts.assignRole, { id: mona.id, role_id: id }, olga)
  await newest('change_role_user')
  return id
}
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const emoji = async () => {
  const shortcode = fresh()
  await cluster.call(files.createEmoji, { shortcode, image: PIXEL, category: 'birds' }, olga)
  await newest('create_custom_emoji')
  return shortcode
}
const addRelay = async () => {
  const url = `https://127.0.0.1:9/${fresh()}/inbox`
  await cluster.call(relay.addRelay, { url }, olga)
  await newest('create_relay')
  return url
}
const tag = async () => {
  const name = fresh()
  await cluster.call(statuses.createStatus, { status: `#${name}` }, mona)
  await cluster.waitForIdle()
  const row = await cluster.db('statuses').row<{ id: string }>(sql`select id from tags where name = ${name}`)
  return row?.id ?? ''
}
const link = async () => {
  const id = String(900_000 + ++count)
  await cluster
    .db('statuses')
    .run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url,
    provider_name, provider_url, html, width, height, embed_url, image_description, fetched_at)
    values (${id}, ${`https://news.example/${id}`}, 0, false, '', '', '', '', '', '', '', 0, 0, '', '', now())`)
  return id
}
const publisher = async () => {
  const id = String(900_000 + ++count)
  await cluster.db('statuses').run(sql`insert into publishers (id, domain) values (${id}, ${`${fresh()}.example`})`)
  return id
}
const status = async () => {
  const made = await cluster.call(statuses.createStatus, { status: fresh() }, mona)
  return (made as { id: string }).id
}
const ROLES = { service: 'accounts', tables: ['roles', 'users'] }
const EMOJI = { service: 'media', tables: ['custom_emojis'] }
const RELAYS = { service: 'federation', tables: ['relays'] }

const cases: Case[] = [
  { action: 'create_user_role', ...ROLES, run: role },
  {
    action: 'update_user_role',
    ...ROLES,
    prepare: role,
    run: (id) => cluster.call(fakeAccounts.updateRole, { id, name: fresh(), permissions: [], color: '#abc' }, olga),
  },
  {
    action: 'destroy_user_role',
    ...ROLES,
    prepare: held,
    run: (id) => cluster.call(fakeAccounts.removeRole, { id }, olga),
  },
  {
    action: 'change_role_user',
    ...ROLES,
    prepare: role,
    run: (role_id) => cluster.call(fakeAccounts.assignRole, { id: mona.id, role_id }, olga),
  },
  {
    action: 'destroy_invite',
    service: 'accounts',
    tables: ['invites'],
    prepare: async () => {
      const id = String(900_000 + ++count)
      await cluster.db('accounts').run(sql`insert into invites (id, account_id, code, expires_at, created_at)
        values (${id}, ${mona.id}, ${fresh()}, now() + interval '1 day', now())`)
      return id
    },
    run: (id) => cluster.call(fakeAccounts.deactivateInvite, { id }, olga),
  },
  {
    action: 'memorialize_account',
    service: 'accounts',
    tables: ['accounts'],
    run: () => cluster.call(fakeAccounts.memorializeUser, { id: dora.id }, olga),
  },
  { action: 'create_custom_emoji', ...EMOJI, run: emoji, isFinal: true },
  {
    action: 'update_custom_emoji',
    ...EMOJI,
    prepare: emoji,
    run: (shortcode) =>
      cluster.call(files.updateEmoji, { shortcode, category: 'fish', visible_in_picker: false }, olga),
  },
  {
    action: 'disable_custom_emoji',
    ...EMOJI,
    prepare: emoji,
    run: (shortcode) => cluster.call(files.updateEmoji, { shortcode, disabled: true }, olga),
  },
  {
    action: 'enable_custom_emoji',
    ...EMOJI,
    prepare: async () => {
      const shortcode = await emoji()
      await cluster.call(files.updateEmoji, { shortcode, disabled: true }, olga)
      await newest('disable_custom_emoji')
      return shortcode
    },
    run: (shortcode) => cluster.call(files.updateEmoji, { shortcode, disabled: false }, olga),
  },
  { action: 'create_relay', ...RELAYS, run: addRelay },
  {
    action: 'disable_relay',
    ...RELAYS,
    prepare: addRelay,
    run: (url) => cluster.call(relay.disableRelay, { url }, olga),
  },
  {
    action: 'enable_relay',
    ...RELAYS,
    prepare: async () => {
      const url = await addRelay()
      await cluster.call(relay.disableRelay, { url }, olga)
      await newest('disable_relay')
      return url
    },
    run: (url) => cluster.call(relay.enableRelay, { url }, olga),
  },
  {
    action: 'destroy_relay',
    ...RELAYS,
    prepare: addRelay,
    run: (url) => cluster.call(relay.removeRelay, { url }, olga),
  },
  {
    action: 'update_tag',
    service: 'statuses',
    tables: ['tags'],
    prepare: tag,
    run: (id) => cluster.call(statuses.updateAdminTag, { id, usable: false, listable: false }, olga),
  },
  {
    action: 'approve_trend_tag',
    service: 'statuses',
    tables: ['tags'],
    prepare: tag,
    run: (id) => cluster.call(statuses.approveTrendTag, { id }, olga),
  },
  {
    action: 'reject_trend_tag',
    service: 'statuses',
    tables: ['tags'],
    prepare: tag,
    run: (id) => cluster.call(statuses.rejectTrendTag, { id }, olga),
  },
  {
    action: 'approve_trend_link',
    service: 'statuses',
    tables: ['previews'],
    prepare: link,
    run: (id) => cluster.call(statuses.approveTrendLink, { id }, olga),
  },
  {
    action: 'reject_trend_link',
    service: 'statuses',
    tables: ['previews'],
    prepare: link,
    run: (id) => cluster.call(statuses.rejectTrendLink, { id }, olga),
  },
  {
    action: 'approve_trend_status',
    service: 'statuses',
    tables: ['statuses'],
    prepare: status,
    run: (id) => cluster.call(statuses.approveTrendStatus, { id }, olga),
  },
  {
    action: 'reject_trend_status',
    service: 'statuses',
    tables: ['statuses'],
    prepare: status,
    run: (id) => cluster.call(statuses.rejectTrendStatus, { id }, olga),
  },
  {
    action: 'approve_trend_publisher',
    service: 'statuses',
    tables: ['publishers'],
    prepare: publisher,
    run: (id) => cluster.call(statuses.approveTrendPublisher, { id }, olga),
  },
  {
    action: 'reject_trend_publisher',
    service: 'statuses',
    tables: ['publishers'],
    prepare: publisher,
    run: (id) => cluster.call(statuses.rejectTrendPublisher, { id }, olga),
  },
]

describe('the state after undo equals the state before, and after a second undo the state after', () => {
  test.each(cases.map((one) => [one.action, one] as const))('%s', async (action, it) => {
    const id = (await it.prepare?.()) ?? ''
    const before = await rowsOf(it.service, ...it.tables)
    await it.run(id)
    const after = await rowsOf(it.service, ...it.tables)
    const entry = await newest(action)
    expect(after).not.toEqual(before)
    expect(await obstacle(entry.id)).toBeNull()
    const undone = await undo(entry.id)
    expect(await rowsOf(it.service, ...it.tables)).toEqual(before)
    expect([undone.undoes, undone.target_id]).toEqual([entry.id, entry.target_id])
    await expect(undo(entry.id)).rejects.toMatchObject({ status: 409 })
    if (it.isFinal) return expect(await obstacle(undone.id)).toBe('picture_is_deleted')
    expect(await obstacle(undone.id)).toBeNull()
    await undo(undone.id)
    expect(await rowsOf(it.service, ...it.tables)).toEqual(after)
  })
})

test('the undo of a created token revokes it, for staff of a higher rank only, and is final', async () => {
  const { token, scopes } = await cluster.call(fakeAccounts.createTokenByStaff, { id: ada.id }, olga)
  const state = async () => (await cluster.call(fakeAccounts.resolveToken, { token, ip: null })).why
  const entry = await newest('create_token_user')
  expect(entry).toMatchObject({ actor: olga.id, target_id: ada.id, target: 'ada', before: null, after: { scopes } })
  expect(JSON.stringify(entry)).not.toContain(token)
  const administrator = viewer(mona.id, { permissions: DEFAULT_ROLES.owner.permissions, position: 10 })
  expect([await state(), await obstacle(entry.id, mona), await obstacle(entry.id, administrator)]).toEqual([
    'ok',
    'not_permitted',
    'not_permitted',
  ])
  const undone = await undo(entry.id)
  expect([undone.action, undone.undoes, await state()]).toEqual(['destroy_token_user', entry.id, 'revoked'])
  expect(await obstacle(undone.id)).toBe('token_is_final')
  await expect(undo(entry.id)).rejects.toMatchObject({ status: 409 })
})

test('a token that its holder revoked has nothing to undo', async () => {
  await cluster.call(fakeAccounts.createTokenByOperator, { username: 'ada' })
  const entry = await newest('create_token_user')
  expect([entry.actor, await obstacle(entry.id)]).toEqual([null, null])
  await cluster.db('accounts').run(sql`update access_tokens set revoked_at = now() where revoked_at is null`)
  expect(await obstacle(entry.id)).toBe('changed_since')
})

test('an undo that the service executed before the request failed is finished by the job admin.settle-undo', async () => {
  const id = await role()
  await cluster.call(fakeAccounts.updateRole, { id, highlighted: true }, olga)
  const entry = await newest('update_user_role')
  const db = cluster.db('admin')
  // As after a crash: the claim is stored and the role restored, but there is no entry.
  await db.run(
    sql`insert into audit_undos (entry_id, by_account_id, created_at) values (${entry.id}, ${olga.id}, now() - interval '2 minutes')`,
  )
  await cluster.call(fakeAccounts.restoreRole, {
    by: olga.id,
    action: entry.action as AuditAction,
    targetId: id,
    before: entry.before,
    after: entry.after,
    dry: false,
  })
  await finishUndos.run(cluster.host.running.find((one) => one.service === 'admin')?.ctx)
  await expect
    .poll(async () => (await cluster.call(admin.showAuditLogEntry, { id: entry.id }, olga)).undone_by)
    .not.toBeNull()
  const [undone] = await cluster.call(admin.browseAuditLog, { limit: 1 }, olga)
  expect(undone).toMatchObject({ undoes: entry.id, actor: olga.id })
  // A second run adds no second entry.
  expect(await db.tx((tx) => closeUndos(tx, [{ entry: entry.id, undoEntry: '1' }]))).toBe(0)
})

test('A067 undo is refused for roles above the actor and for permissions that the actor lacks', async () => {
  const id = await role()
  await cluster.call(fakeAccounts.updateRole, { id, position: 900 }, olga)
  const entry = await newest('update_user_role')
  expect(await obstacle(entry.id, ada)).toBe('not_permitted')
  await expect(undo(entry.id, ada)).rejects.toMatchObject({ status: 403 })
  await cluster.call(fakeAccounts.removeRole, { id }, olga)
  expect(await obstacle((await newest('destroy_user_role')).id, ada)).toBe('not_permitted')
})

test('a role is not restored if another has its name, nor to accounts that have another role', async () => {
  const id = await held()
  const { name } = await cluster.call(fakeAccounts.showRole, { id })
  await cluster.call(fakeAccounts.removeRole, { id }, olga)
  const entry = await newest('destroy_user_role')
  const other = (await cluster.call(fakeAccounts.createRole, { name, position: 5, permissions: [] }, olga)).id
  await newest('create_user_role')
  expect(await obstacle(entry.id)).toBe('is_taken')
  await cluster.call(fakeAccounts.updateRole, { id: other, name: fresh() }, olga)
  await newest('update_user_role')
  await cluster.call(fakeAccounts.assignRole, { id: mona.id, role_id: other }, olga)
  await newest('change_role_user')
  await undo(entry.id)
  const holder = sql`select role_id from users where account_id = ${mona.id}`
  expect(await cluster.db('accounts').row(holder)).toEqual({ role_id: other })
})

test('an emoji whose picture changed does not get the former one', async () => {
  const shortcode = await emoji()
  await cluster.call(files.createEmoji, { shortcode, image: PIXEL }, olga)
  const found = () => cluster.call(admin.browseAuditLog, { target_id: shortcode }, olga)
  await expect.poll(async () => (await found()).length).toBe(2)
  const [entry] = await found()
  expect(entry?.before).toMatchObject({ category: 'birds' })
  await expect.poll(() => obstacle(entry?.id ?? '')).toBe('picture_is_deleted')
})

test('a taxonomy action is announced as statuses.taxonomy.managed, and hashtags count as before', async () => {
  const id = await tag()
  await cluster.call(statuses.updateAdminTag, { id, usable: false }, olga)
  const entry = await newest('update_tag')
  expect(entry).toMatchObject({ target: '#case'.concat(String(entry.target.slice(5))), before: { usable: true } })
  await cluster.call(statuses.updateAdminTag, { id, listable: false }, olga)
  expect(await obstacle(entry.id)).toBe('changed_since')
})

test('the undo of a decision that made a hashtag unusable announces the usable hashtags', async () => {
  const listed = async () =>
    (
      await cluster.db('statuses').row<{ names: string[] }>(sql`select data::jsonb -> 'names' as names from outbox
        where subject = 'evt.statuses.unusable-tag.listed' order by id desc limit 1`)
    )?.names ?? []
  const id = await tag()
  await cluster.call(statuses.updateAdminTag, { id, usable: false }, olga)
  const entry = await newest('update_tag')
  expect(await listed()).toContain(entry.target.slice(1))
  await undo(entry.id)
  expect(await listed()).not.toContain(entry.target.slice(1))
})
