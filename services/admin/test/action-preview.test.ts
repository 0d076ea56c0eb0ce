/** The preview of an action: its consequences in numbers, and the e-mail. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, createFollow, putRemote } from '@murmuration/contracts/accounts'
import {
  actOnAccount,
  actOnReportedStatuses,
  browseAuditLog,
  createReport,
  createWarningPreset,
  previewAccountAction,
  previewStatusAction,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as notifications } from '@murmuration/notifications'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { type SmtpServer, startSmtpServer } from '@murmuration/testkit/outside/smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let server: SmtpServer
let cluster: Cluster
let call: Cluster['call']
let mona: Viewer
let bob: Viewer
let amy: Viewer
let eve: string
beforeAll(async () => {
  server = await startSmtpServer({ credentials: { user: 'mailer', password: 'pass word' } })
  cluster = await startCluster({
    apps: [app, accounts, media, statuses, notifications],
    env: {
      MEDIA_FFMPEG: 'off',
      SMTP_SERVER: server.host,
      SMTP_PORT: String(server.port),
      SMTP_LOGIN: 'mailer',
      SMTP_PASSWORD: 'pass word',
      SMTP_FROM_ADDRESS: 'birds@here.example',
    },
  })
  call = cluster.call
  const make = async (username: string, role?: string) => {
    const fakeAccount = { username, email: `${username}@mail.example`, confirmed: true, ...(role ? { role } : {}) }
    return (await call(createAccountByOperator, fakeAccount)).id
  }
  const { permissions, position } = DEFAULT_ROLES.moderator
  mona = viewer(await make('mona', 'Moderator'), { permissions, position })
  ;[bob, amy] = [viewer(await make('bob')), viewer(await make('amy'))]
  await cluster.db('accounts').run(sql`update users set locale = 'de' where account_id = ${bob.id}`)
  eve = (await call(putRemote, { actor: remoteActor('eve', 'remote.example') })).record.id
  await call(createFollow, { id: bob.id }, amy)
  await call(createFollow, { id: amy.id }, bob)
})
afterAll(async () => {
  await cluster.stop()
  await server.close()
})

const post = async (status: string) => (await call(createStatus, { status } as never, bob)) as { id: string }
/** A text without the token of its link, and without the line ends of e-mails. */
const unsigned = (text: string | undefined) =>
  text?.replaceAll('\r\n', '\n').replace(/(\/appeal\?token=)[^\s"<]+/g, '$1…')
const actions = async () => (await call(browseAuditLog, {}, mona)).length

test('the preview of a suspension counts follows, posts and reports, and has the e-mail in the language of its recipient', async () => {
  await post('hello')
  await call(createReport, { account_id: bob.id }, amy)
  await cluster.waitForIdle()
  server.mails.clear()
  const preset = await call(
    createWarningPreset,
    { text: 'Spam <b>' },
    { ...mona, permissions: DEFAULT_ROLES.admin.permissions },
  )
  const before = await actions()
  const wanted = { id: bob.id, type: 'suspend', text: 'Twice warned', warning_preset_id: preset.id }
  const preview = await call(previewAccountAction, wanted, mona)
  expect(preview).toMatchObject({
    type: 'suspend',
    text: 'Spam <b>\n\nTwice warned',
    followers_lost: 1,
    follows_lost: 1,
    posts_hidden: 1,
    reports_resolved: 1,
    strikes: 0,
    deleted_after_days: 30,
    reversible: true,
    email: { to: 'bob@mail.example', language: 'de' },
  })
  await cluster.waitForIdle()
  expect([await actions(), server.mails.all.length]).toEqual([before, 0])

  await call(actOnAccount, wanted, mona)
  await cluster.waitForIdle()
  const [mail] = server.mails.all.filter((one) => one.to.includes('bob@mail.example'))
  expect(mail?.subject).toBe(preview.email?.subject)
  expect(unsigned(mail?.text)?.trim()).toBe(unsigned(preview.email?.text)?.trim())
  expect(unsigned(mail?.html)?.trim()).toBe(unsigned(preview.email?.html)?.trim())
  expect(await call(previewAccountAction, { id: bob.id, type: 'silence' }, mona)).toMatchObject({
    followers_lost: 0,
    reports_resolved: 0,
    strikes: 1,
  })
})

test('the preview of an action on posts lists the posts that change, and refuses what the action refuses', async () => {
  const holder = viewer(
    (await call(createAccountByOperator, { username: 'cat', email: 'cat@mail.example', confirmed: true })).id,
  )
  const one = (await call(createStatus, { status: 'rude' } as never, holder)) as { id: string }
  const two = (await call(createStatus, { status: 'ruder' } as never, holder)) as { id: string }
  await cluster.waitForIdle()
  const { id } = await call(createReport, { account_id: holder.id, status_ids: [one.id, two.id] }, amy)
  const type = 'delete_statuses'
  expect(await call(previewStatusAction, { id, type, status_ids: [two.id], text: 'No' }, mona)).toMatchObject({
    type,
    status_ids: [two.id],
    posts_hidden: 1,
    reports_resolved: 1,
    reversible: false,
    email: { language: 'en', to: 'cat@mail.example' },
  })
  const refused = { status: 422, message: 'Validation failed: Status ids name no post with visible media' }
  const mark = { id, type: 'mark_statuses_as_sensitive' }
  await expect(call(previewStatusAction, mark, mona)).rejects.toMatchObject(refused)
  await expect(call(actOnReportedStatuses, mark, mona)).rejects.toMatchObject(refused)
  await expect(call(previewStatusAction, { id, type: 'suspend' }, mona)).rejects.toMatchObject({ status: 422 })
})

test('a remote account gets no e-mail, and a higher role is refused', async () => {
  await call(createFollow, { id: eve }, amy)
  expect(await call(previewAccountAction, { id: eve, type: 'suspend' }, mona)).toMatchObject({
    deleted_after_days: null,
    email: null,
  })
  await expect(call(previewAccountAction, { id: mona.id, type: 'suspend' }, mona)).rejects.toMatchObject({
    status: 403,
  })
  await expect(call(previewAccountAction, { id: eve, type: 'wrong' }, mona)).rejects.toMatchObject({ status: 422 })
  await expect(call(previewAccountAction, { id: '1', type: 'suspend' }, mona)).rejects.toMatchObject({ status: 404 })
})
