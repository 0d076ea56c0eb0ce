/** Quotes: permission, the state each viewer sees, counters and events, local and between servers. */
import type { RemoteStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { checkQuote } from '../src/remote/jobs.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let cat: FakeAccount
let far: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  cat = harness.fakes.fakeAccount('cat')
  far = harness.fakes.fakeAccount('dan', {
    domain: 'far.example',
    followers_url: 'https://far.example/users/dan/followers',
  })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const show = (id: string, who: FakeAccount | null = null) =>
  call(statuses.showStatus, { id }, who ? harness.as(who) : {})
const quote = (who: FakeAccount, id: string, more: Record<string, unknown> = {}) =>
  harness.post(who, { status: 'look', quoted_status_id: id, ...more })
const missing = {
  status: 404,
  message: 'The post you are trying to quote does not appear to exist.',
}
const events = (name: string, status: string) =>
  harness.cluster
    .db('statuses')
    .rows<{ data: string }>(
      sql`select data from outbox where subject = ${`evt.statuses.${name}`} and data::jsonb->>'status' = ${status}`,
    )
    .then((rows) => rows.map((row) => JSON.parse(row.data)))

const remote = (more: Partial<RemoteStatus> = {}) =>
  remoteStatus(far, { quote_policy: { automatic: ['public'], manual: [] }, ...more })
const put = async (more: Partial<RemoteStatus> = {}) => {
  const status = remote(more)
  const { id } = await call(statuses.putRemoteStatus, { status })
  await harness.cluster.waitForIdle()
  return { id, status }
}

describe('a quote of a local status', () => {
  test('is shown at once, counted, linked in the text, and announced', async () => {
    const original = await harness.post(ann, 'wise words')
    const quoting = await quote(bob, original.id)
    expect(quoting).toMatchObject({
      quote: { state: 'accepted', quoted_status: { id: original.id, quote: null, reblog: null } },
      card: null,
    })
    expect(quoting.content).toContain('<p class="quote-inline">RE: <a href="http')
    expect(quoting.content).toContain(original.url ?? '?')
    expect(await show(original.id)).toMatchObject({ quotes_count: 1 })
    expect(await events('quote.accepted', quoting.id)).toMatchObject([
      { author: bob.id, quoted: original.id, quotedAuthor: ann.id, quotedLocal: true, push: true },
    ])
  })
  test('needs no text, keeps a warning, and links the quoted status once if the text contains the link', async () => {
    const original = await harness.post(ann, 'wise')
    expect(await quote(bob, original.id, { status: '' })).toMatchObject({ quote: { state: 'accepted' } })
    const warned = await quote(bob, original.id, { status: '', spoiler_text: 'careful' })
    expect(warned).toMatchObject({ spoiler_text: 'careful', sensitive: true })
    const linked = await quote(bob, original.id, { status: `see ${original.url}` })
    expect(linked.content).not.toContain('quote-inline')
  })
  test('shows one level: the quote within a quote has only an id', async () => {
    const first = await harness.post(ann, 'one')
    const second = await quote(bob, first.id)
    const third = await quote(cat, second.id)
    expect(third.quote).toMatchObject({
      state: 'accepted',
      quoted_status: { id: second.id, quote: { state: 'accepted', quoted_status_id: first.id } },
    })
    await call(statuses.deleteStatus, { id: first.id }, harness.as(ann))
    expect((await show(third.id)).quote).toMatchObject({
      quoted_status: { quote: { state: 'deleted', quoted_status_id: null } },
    })
  })
  test('of a boost quotes the original', async () => {
    const original = await harness.post(ann, 'boosted')
    const boost = await call(statuses.addReblog, { id: original.id }, harness.as(cat))
    expect(await quote(bob, boost.id)).toMatchObject({ quote: { quoted_status: { id: original.id } } })
  })
  test('follows the policy of the quoted author', async () => {
    const closed = await harness.post(ann, { status: 'mine', quote_approval_policy: 'nobody' })
    const half = await harness.post(ann, { status: 'ours', quote_approval_policy: 'followers' })
    harness.fakes.follow(cat, ann)
    expect(half).toMatchObject({ quote_approval: { automatic: ['followers'], manual: [], current_user: 'automatic' } })
    expect(await show(half.id, bob)).toMatchObject({ quote_approval: { current_user: 'denied' } })
    expect(await show(half.id, cat)).toMatchObject({ quote_approval: { current_user: 'automatic' } })
    expect(await show(half.id)).toMatchObject({ quote_approval: { current_user: 'denied' } })
    await expect(quote(bob, half.id)).rejects.toMatchObject(missing)
    expect(await quote(cat, half.id)).toMatchObject({ quote: { state: 'accepted' } })
    await expect(quote(cat, closed.id)).rejects.toMatchObject(missing)
    expect(await quote(ann, closed.id)).toMatchObject({ quote: { state: 'accepted' } })
    await expect(quote(bob, '1')).rejects.toMatchObject(missing)
    await expect(harness.post(ann, { status: 'x', quote_approval_policy: 'friends' })).rejects.toMatchObject({
      status: 422,
      message: 'Record invalid',
    })
  })
  test("uses the writer's default policy, and statuses that are not public or unlisted cannot be quoted by others", async () => {
    const shy = harness.fakes.fakeAccount('shy')
    shy.defaults.quote_policy = 'followers'
    expect(await harness.post(shy, 'hi')).toMatchObject({ quote_approval: { automatic: ['followers'] } })
    const secret = await harness.post(shy, { status: 'psst', visibility: 'private', quote_approval_policy: 'public' })
    expect(secret).toMatchObject({ quote_approval: { automatic: [], current_user: 'automatic' } })
    harness.fakes.follow(bob, shy)
    await expect(quote(bob, secret.id)).rejects.toMatchObject(missing)
  })
  test('of an own private status is private, and of an own direct one is refused', async () => {
    const secret = await harness.post(ann, { status: 'psst', visibility: 'private' })
    expect(await quote(ann, secret.id)).toMatchObject({ visibility: 'private' })
    const direct = await harness.post(ann, { status: '@bob psst', visibility: 'direct' })
    await expect(quote(ann, direct.id)).rejects.toMatchObject(missing)
  })
  test('in a direct status must mention the quoted author', async () => {
    const original = await harness.post(ann, 'wise')
    await expect(quote(bob, original.id, { status: '@cat look', visibility: 'direct' })).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: Cannot quote a non-mentioned user in a Private Mention post.',
    })
    expect(await quote(bob, original.id, { status: '@ann look', visibility: 'direct' })).toMatchObject({
      quote: { state: 'accepted' },
    })
  })
})

describe('states', () => {
  test('quotes of blocked, muted and hidden authors are shown as far as the viewer may see them', async () => {
    const eve = harness.fakes.fakeAccount('eve')
    const original = await harness.post(eve, 'mine')
    const quoting = await quote(bob, original.id)
    const quoteFor = async (who: FakeAccount | null) => (await show(quoting.id, who)).quote
    expect(await quoteFor(cat)).toMatchObject({ state: 'accepted' })
    harness.fakes.mute(cat, eve)
    expect(await quoteFor(cat)).toMatchObject({ state: 'muted_account', quoted_status: { id: original.id } })
    harness.fakes.block(cat, eve)
    expect(await quoteFor(cat)).toMatchObject({ state: 'blocked_account', quoted_status: { id: original.id } })
    const foe = harness.fakes.fakeAccount('foe')
    harness.fakes.block(eve, foe)
    expect(await quoteFor(foe)).toEqual({ state: 'unauthorized', quoted_status: null })
    expect(await quoteFor(null)).toMatchObject({ state: 'accepted' })
    eve.suspended = true
    await harness.happen(accounts.accountChanged, {
      id: eve.id,
      flags: {
        local: true,
        domain: null,
        silenced: false,
        suspended: true,
        sensitized: false,
        discoverable: true,
        indexable: true,
      },
      profile: false,
    })
    expect(await quoteFor(null)).toEqual({ state: 'unauthorized', quoted_status: null })
  })
  test('the quote of an author on a blocked domain has its own state', async () => {
    const { id } = await put()
    const quoting = await quote(bob, id)
    await call(statuses.respondToQuote, { actor: far.id, status: quoting.id, stamp: 'https://far.example/stamps/0' })
    harness.fakes.domainBlocks.add(`${cat.id}>far.example`)
    expect((await show(quoting.id, cat)).quote).toMatchObject({ state: 'blocked_domain', quoted_status: { id } })
  })
  test('the quote of a deleted status says so, and a deleted quote is not counted', async () => {
    const original = await harness.post(ann, 'short lived')
    const one = await quote(bob, original.id)
    const other = await quote(cat, original.id)
    expect(await show(original.id)).toMatchObject({ quotes_count: 2 })
    await call(statuses.deleteStatus, { id: other.id }, harness.as(cat))
    expect(await show(original.id)).toMatchObject({ quotes_count: 1 })
    await call(statuses.deleteStatus, { id: original.id }, harness.as(ann))
    expect((await show(one.id)).quote).toEqual({ state: 'deleted', quoted_status: null })
  })
})

describe('the quoted author', () => {
  test('can revoke a quote; others cannot, and other statuses are not found', async () => {
    const original = await harness.post(ann, 'wise')
    const quoting = await quote(bob, original.id)
    const revoke = (who: FakeAccount, id = original.id, quoting_status_id = quoting.id) =>
      call(statuses.revokeQuote, { id, quoting_status_id }, harness.as(who))
    await expect(revoke(bob)).rejects.toMatchObject({ status: 403, message: 'This action is not allowed' })
    await expect(revoke(ann, quoting.id, original.id)).rejects.toMatchObject({ status: 404 })
    expect(await revoke(ann)).toMatchObject({ id: quoting.id, quote: { state: 'revoked', quoted_status: null } })
    expect(await show(original.id)).toMatchObject({ quotes_count: 0 })
    expect(await revoke(ann)).toMatchObject({ quote: { state: 'revoked' } })
    expect(await events('quote.revoked', quoting.id)).toHaveLength(1)
  })
  test('can change the quote policy without a new version', async () => {
    const original = await harness.post(ann, 'wise')
    const change = (who: FakeAccount, quote_approval_policy?: string) =>
      call(statuses.setInteractionPolicy, { id: original.id, quote_approval_policy }, harness.as(who))
    expect(await change(ann, 'nobody')).toMatchObject({ quote_approval: { automatic: [] }, edited_at: null })
    await expect(quote(bob, original.id)).rejects.toMatchObject(missing)
    await expect(change(bob, 'public')).rejects.toMatchObject({ status: 404 })
    await expect(change(ann, 'whoever')).rejects.toMatchObject({ status: 422 })
    await expect(change(ann)).rejects.toMatchObject({ status: 422 })
    expect(await call(statuses.showHistory, { id: original.id }, harness.as(ann))).toHaveLength(1)
  })
  test('sees all quotes; others see only those that they may see', async () => {
    const original = await harness.post(ann, 'wise')
    const open = await quote(bob, original.id)
    const hidden = await quote(cat, original.id, { visibility: 'private' })
    const mine = await quote(ann, original.id)
    const list = async (who: FakeAccount, page: Record<string, unknown> = {}) =>
      (await call(statuses.listQuotes, { id: original.id, ...page }, harness.as(who))).map((one) => one.id)
    expect(await list(bob)).toEqual([mine.id, open.id])
    harness.fakes.follow(bob, cat)
    expect(await list(bob)).toEqual([mine.id, hidden.id, open.id])
    harness.fakes.mute(ann, bob)
    expect(await list(ann)).toEqual([mine.id, hidden.id, open.id])
    expect(await list(bob, { limit: 1 })).toEqual([mine.id])
    await call(statuses.revokeQuote, { id: original.id, quoting_status_id: open.id }, harness.as(ann))
    expect(await list(bob)).toEqual([mine.id, hidden.id])
    harness.fakes.mutes.clear()
  })
})

test('S-012 an edit keeps the quote, also without text; S-013 the history shows it', async () => {
  const original = await harness.post(ann, 'wise')
  const quoting = await quote(bob, original.id, { status: 'first' })
  const edited = await call(
    statuses.editStatus,
    { id: quoting.id, status: '', quote_approval_policy: 'nobody' } as never,
    harness.as(bob),
  )
  expect(edited).toMatchObject({ quote: { state: 'accepted' }, quote_approval: { automatic: [] } })
  expect(edited.content).toContain('quote-inline')
  expect(edited.edited_at).not.toBeNull()
  const history = await call(statuses.showHistory, { id: quoting.id }, harness.as(bob))
  expect(history).toMatchObject([
    { quote: { state: 'accepted', quoted_status: { id: original.id } } },
    { quote: { state: 'accepted' } },
  ])
})

test('S-012 an edit with an unknown quote policy is refused, and changes nothing', async () => {
  const original = await harness.post(ann, 'first')
  const edit = { id: original.id, status: 'second', spoiler_text: 'careful', quote_approval_policy: 'friends' }
  await expect(call(statuses.editStatus, edit, harness.as(ann))).rejects.toMatchObject({
    status: 422,
    message: 'Record invalid',
  })
  expect(await show(original.id, ann)).toMatchObject({ content: '<p>first</p>', spoiler_text: '', edited_at: null })
  expect(await call(statuses.showHistory, { id: original.id }, harness.as(ann))).toHaveLength(1)
  const announced = await harness.cluster
    .db('statuses')
    .rows(sql`select subject from outbox where data::jsonb->>'id' = ${original.id}`)
  expect(announced).toEqual([{ subject: 'evt.statuses.status.created' }])
})

test('a scheduled status keeps its quote', async () => {
  const original = await harness.post(ann, 'wise')
  const at = new Date(Date.now() + 600_000).toISOString()
  const kept = await quote(bob, original.id, { scheduled_at: at, quote_approval_policy: 'followers' })
  expect(kept).toMatchObject({
    params: { quoted_status_id: original.id, quote_approval_policy: 'followers', text: 'look' },
  })
  await harness.cluster
    .db('statuses')
    .run(sql`update scheduled_statuses set scheduled_at = now() - interval '1 minute'`)
  await expect.poll(async () => (await call(statuses.listQuotes, { id: original.id }, harness.as(ann))).length).toBe(1)
})

describe('a quote of a remote status', () => {
  test("is requested, pending, and then shown by the author's decision", async () => {
    const { id, status } = await put()
    const quoting = await quote(bob, id)
    expect(quoting).toMatchObject({ quote: { state: 'pending', quoted_status: null } })
    expect(await show(id)).toMatchObject({ quotes_count: 0 })
    expect(await events('quote.requested', quoting.id)).toMatchObject([{ quotedUri: status.uri, quotedLocal: false }])
    const answer = (actor: FakeAccount, stamp: string | null) =>
      call(statuses.respondToQuote, { actor: actor.id, status: quoting.id, stamp })
    expect(await answer(cat, 'https://far.example/stamps/1')).toEqual({ outcome: 'refused' })
    expect(await answer(far, 'https://evil.example/stamps/1')).toEqual({ outcome: 'refused' })
    expect(await answer(far, 'https://far.example/stamps/1')).toEqual({ outcome: 'done' })
    expect(await answer(far, 'https://far.example/stamps/1')).toEqual({ outcome: 'unchanged' })
    expect((await show(quoting.id)).quote).toMatchObject({ state: 'accepted', quoted_status: { id } })
    expect(await show(id)).toMatchObject({ quotes_count: 1 })
    const [source] = (await call(statuses.statusSources, { ids: [quoting.id] })).sources
    expect(source?.quote).toEqual({
      uri: status.uri,
      author: far.id,
      stamp: 'https://far.example/stamps/1',
      pending: false,
    })
    expect(
      await call(statuses.revokeApproval, { actor: cat.id, approval: 'https://far.example/stamps/1' }),
    ).toMatchObject({
      outcome: 'unknown',
    })
    expect(await call(statuses.revokeApproval, { actor: far.id, approval: 'https://far.example/stamps/1' })).toEqual({
      outcome: 'done',
      quoting: quoting.id,
    })
    expect((await show(quoting.id)).quote).toEqual({ state: 'revoked', quoted_status: null })
  })
  test('interop 6.5 is not shown if the approval was revoked before it was received, or is repeated after its revocation', async () => {
    const { id } = await put()
    const quoting = await quote(bob, id)
    const [early, next] = ['https://far.example/stamps/early', 'https://far.example/stamps/next']
    const answer = (stamp: string) => call(statuses.respondToQuote, { actor: far.id, status: quoting.id, stamp })
    const state = async () => (await show(quoting.id)).quote?.state
    expect((await call(statuses.removeRemoteStatus, { uri: early, author: far.id })).outcome).toBe('unknown')
    expect(await answer(early)).toEqual({ outcome: 'unchanged' })
    expect(await state()).toBe('pending')
    expect(await answer(next)).toEqual({ outcome: 'done' })
    expect(await state()).toBe('accepted')
    await call(statuses.revokeApproval, { actor: far.id, approval: next })
    expect(await answer(next)).toEqual({ outcome: 'unchanged' })
    expect(await state()).toBe('revoked')
    // Only the quoted author's Delete of the approval counts.
    const last = 'https://far.example/stamps/last'
    await call(statuses.revokeApproval, { actor: cat.id, approval: last })
    expect(await answer(last)).toEqual({ outcome: 'done' })
    expect(await state()).toBe('accepted')
  })
  test('is shown as rejected after a refusal', async () => {
    const { id } = await put()
    const quoting = await quote(bob, id)
    await call(statuses.respondToQuote, { actor: far.id, status: quoting.id, stamp: null })
    expect((await show(quoting.id)).quote).toEqual({ state: 'rejected', quoted_status: null })
  })
  test('is possible only if the remote policy allows it', async () => {
    const { id: closed } = await put({ quote_policy: { automatic: [], manual: [] } })
    await expect(quote(bob, closed)).rejects.toMatchObject(missing)
    const { id: asks } = await put({ quote_policy: { automatic: ['followers'], manual: ['public'] } })
    expect(await show(asks, bob)).toMatchObject({
      quote_approval: { automatic: ['followers'], manual: ['public'], current_user: 'manual' },
    })
    const { id: odd } = await put({ quote_policy: { automatic: ['unsupported_policy'], manual: [] } })
    expect(await show(odd, bob)).toMatchObject({ quote_approval: { current_user: 'unknown' } })
    expect(await quote(bob, odd)).toMatchObject({ quote: { state: 'pending' } })
  })
})

describe('a quote of a local status by a remote one', () => {
  const sendRequest = (quoted: string | null, status: string, actor = far) =>
    call(statuses.requestQuote, { actor: actor.id, quoted: quoted ?? '', status })

  test('is decided by the policy, equally for each request, and is then shown', async () => {
    const original = await harness.post(ann, 'wise')
    const uri = 'https://far.example/notes/quoting-1'
    const answer = await sendRequest(original.uri, uri)
    expect(answer).toMatchObject({ outcome: 'accepted', author: ann.id })
    expect(answer.stamp).toMatch(/\/ap\/users\/\d+\/quote_authorizations\/\d+$/)
    expect(await sendRequest(original.uri, uri)).toEqual(answer)
    const { id } = await put({ uri, quote: { uri: original.uri, stamp: null, legacy: false } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted', quoted_status: { id: original.id } })
    expect(await show(original.id)).toMatchObject({ quotes_count: 1 })
    const stamp = answer.stamp?.split('/').at(-1) ?? ''
    expect(await call(statuses.showAuthorization, { id: stamp })).toEqual({
      stamp: { author: ann.id, quoted: original.id, quotedUri: original.uri, statusUri: uri },
    })
    await call(statuses.revokeQuote, { id: original.id, quoting_status_id: id }, harness.as(ann))
    expect((await show(id)).quote).toEqual({ state: 'revoked', quoted_status: null })
    expect(await call(statuses.showAuthorization, { id: stamp })).toEqual({ stamp: null })
    expect(await sendRequest(original.uri, uri)).toMatchObject({ outcome: 'rejected' })
    expect(await events('quote.revoked', id)).toMatchObject([{ stamp: answer.stamp, local: false }])
  })
  test('stays revoked when its status is stored again at the same moment', async () => {
    const original = await harness.post(ann, 'wise')
    const uri = 'https://far.example/notes/quoting-meanwhile'
    await sendRequest(original.uri, uri)
    const { id, status } = await put({ uri, quote: { uri: original.uri, stamp: null, legacy: false } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    const held = await holding(harness.cluster.db('statuses'), sql`select 1 from statuses where id = ${id} for update`)
    const again = call(statuses.putRemoteStatus, { status })
    await held.queued(1)
    await call(statuses.revokeQuote, { id: original.id, quoting_status_id: id }, harness.as(ann))
    await held.letGo()
    await again
    expect((await show(id)).quote).toEqual({ state: 'revoked', quoted_status: null })
    expect(await show(original.id)).toMatchObject({ quotes_count: 0 })
  })
  test('is accepted when the status is received before the request', async () => {
    const original = await harness.post(ann, 'wise')
    const { id, status } = await put({ quote: { uri: original.uri, stamp: null, legacy: false } })
    expect((await show(id)).quote).toEqual({ state: 'pending', quoted_status: null })
    expect(await sendRequest(original.uri, status.uri)).toMatchObject({ outcome: 'accepted' })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
  })
  test('is refused by policy, for blocked accounts, for private statuses, and for statuses of others', async () => {
    const closed = await harness.post(ann, { status: 'no', quote_approval_policy: 'nobody' })
    expect(await sendRequest(closed.uri, 'https://far.example/q/2')).toMatchObject({ outcome: 'rejected', stamp: null })
    const secret = await harness.post(ann, { status: 'no', visibility: 'private' })
    const follower = harness.fakes.fakeAccount('fay', { domain: 'far.example' })
    harness.fakes.follow(follower, ann)
    expect(await sendRequest(secret.uri, 'https://far.example/q/3', follower)).toMatchObject({ outcome: 'rejected' })
    const open = await harness.post(ann, 'yes')
    expect(await sendRequest(open.uri, 'https://evil.example/q/4')).toMatchObject({ outcome: 'rejected' })
    expect(await sendRequest('https://else.example/1', 'https://far.example/q/5')).toMatchObject({ outcome: 'unknown' })
    const evil = harness.fakes.fakeAccount('evil', { domain: 'evil.example' })
    harness.fakes.block(ann, evil)
    expect(await sendRequest(open.uri, 'https://evil.example/q/6', evil)).toMatchObject({ outcome: 'rejected' })
  })
  test('of a hidden status causes the same response as one of a missing status', async () => {
    const unknown = { outcome: 'unknown', author: null, stamp: null }
    for (const more of [{ visibility: 'private' }, { visibility: 'direct', status: '@bob hi' }]) {
      const secret = await harness.post(ann, { status: 'no', quote_approval_policy: 'public', ...more })
      for (const address of [secret.uri, secret.url ?? ''])
        expect(await sendRequest(address, 'https://far.example/q/7')).toEqual(unknown)
    }
    const boosted = await harness.post(ann, { status: 'mine', visibility: 'private' })
    const boost = await call(statuses.addReblog, { id: boosted.id }, harness.as(ann))
    expect(await sendRequest(boost.uri, 'https://far.example/q/8')).toEqual(unknown)
  })
  test('that names a boost is never shown, counted or approved', async () => {
    const original = await harness.post(ann, { status: 'boosted and quoted', quote_approval_policy: 'public' })
    const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bob))
    const ofRemote = await put()
    const announce = 'https://far.example/announces/quoted'
    const reblog = { what: 'reblog', actor: far.id, object: ofRemote.status.uri, uri: announce } as const
    await call(statuses.applyRemoteInteraction, { ...reblog, visibility: 'public' } as never)
    for (const uri of [boost.uri, announce])
      for (const legacy of [true, false]) {
        const { id, status } = await put({ quote: { uri, stamp: null, legacy } })
        expect((await show(id)).quote ?? null).toEqual(legacy ? null : { state: 'rejected', quoted_status: null })
        expect(await sendRequest(uri, status.uri)).toMatchObject({ outcome: expect.stringMatching(/rejected|unknown/) })
      }
    for (const id of [original.id, boost.id, ofRemote.id]) expect(await show(id)).toMatchObject({ quotes_count: 0 })
  })
  test('is not accepted by an approval that this server never gave', async () => {
    const original = await harness.post(ann, 'wise')
    const claimed = `${original.uri.replace(/\/statuses\/\d+$/, '')}/quote_authorizations/12345`
    const { id } = await put({ quote: { uri: original.uri, stamp: claimed, legacy: false } })
    expect((await show(id)).quote).toEqual({ state: 'pending', quoted_status: null })
  })
})

describe('a legacy quote of a local status, which requests no approval', () => {
  const legacy = (quoted: { uri: string }, more: Partial<RemoteStatus> = {}) =>
    put({ ...more, quote: { uri: quoted.uri, stamp: null, legacy: true } })
  const quotesCount = async (id: string) => (await show(id)).quotes_count
  const revoke = (quoted: string, quoting: string) =>
    call(statuses.revokeQuote, { id: quoted, quoting_status_id: quoting }, harness.as(ann))
  const edited = () => new Date(Date.now() + 5_000).toISOString()

  test('is shown, counted and announced once if the policy allows it', async () => {
    const original = await harness.post(ann, 'open')
    const { id, status } = await legacy(original)
    expect((await show(id)).quote).toMatchObject({ state: 'accepted', quoted_status: { id: original.id } })
    await Promise.all([1, 2].map(() => call(statuses.putRemoteStatus, { status })))
    expect(await quotesCount(original.id)).toBe(1)
    expect(await events('quote.accepted', id)).toMatchObject([{ quotedAuthor: ann.id, push: true }])
    const listed = await call(statuses.listQuotes, { id: original.id }, harness.as(ann))
    expect(listed.map((one: { id: string }) => one.id)).toEqual([id])
  })
  test("follows the author's policy, and is shown with the first version that the policy allows", async () => {
    const closed = await harness.post(ann, { status: 'no', quote_approval_policy: 'nobody' })
    expect((await show((await legacy(closed)).id)).quote).toBeNull()
    expect(await quotesCount(closed.id)).toBe(0)
    const near = await harness.post(ann, { status: 'near', quote_approval_policy: 'followers' })
    const { id, status } = await legacy(near)
    expect((await show(id)).quote).toBeNull()
    const fan = harness.fakes.fakeAccount('fan', { domain: 'fan.example' })
    harness.fakes.follow(fan, ann)
    const ofFan = await legacy(near, { author: fan.id, uri: 'https://fan.example/notes/1' })
    expect((await show(ofFan.id)).quote).toMatchObject({ state: 'accepted' })
    await call(statuses.setInteractionPolicy, { id: near.id, quote_approval_policy: 'public' }, harness.as(ann))
    await call(statuses.putRemoteStatus, { status })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    const secret = await harness.post(ann, { status: 'no', visibility: 'private' })
    expect((await show((await legacy(secret)).id)).quote).toBeNull()
  })
  test('is not shown for blocked accounts, nor of a deleted status', async () => {
    const original = await harness.post(ann, 'open')
    const foe = harness.fakes.fakeAccount('foe', { domain: 'foe.example' })
    harness.fakes.block(ann, foe)
    const { id } = await legacy(original, { author: foe.id, uri: 'https://foe.example/notes/1' })
    expect((await show(id)).quote).toBeNull()
    await call(statuses.deleteStatus, { id: original.id }, harness.as(ann))
    const late = await legacy(original)
    expect((await show(late.id)).quote).toBeNull()
  })
  test('is added by an edit, and removed by one', async () => {
    const original = await harness.post(ann, 'open')
    const { id, status } = await put()
    const quote = { uri: original.uri, stamp: null, legacy: true }
    await call(statuses.putRemoteStatus, { status: { ...status, quote, html: '<p>RE</p>', edited_at: edited() } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    expect(await quotesCount(original.id)).toBe(1)
    expect(await events('quote.accepted', id)).toMatchObject([{ push: true }])
    const later = new Date(Date.now() + 60_000).toISOString()
    await call(statuses.putRemoteStatus, { status: { ...status, html: '<p>none</p>', edited_at: later } })
    expect(await quotesCount(original.id)).toBe(0)
  })
  test('stays revoked through repetitions and edits, even if it was never shown', async () => {
    const original = await harness.post(ann, 'open')
    const { id, status } = await legacy(original)
    await revoke(original.id, id)
    expect((await show(id)).quote).toBeNull()
    await call(statuses.putRemoteStatus, { status })
    await call(statuses.putRemoteStatus, { status: { ...status, html: '<p>new</p>', edited_at: edited() } })
    expect((await show(id)).quote).toBeNull()
    expect(await quotesCount(original.id)).toBe(0)

    const closed = await harness.post(ann, { status: 'no', quote_approval_policy: 'nobody' })
    const early = await legacy(closed)
    await revoke(closed.id, early.id)
    await call(statuses.setInteractionPolicy, { id: closed.id, quote_approval_policy: 'public' }, harness.as(ann))
    await call(statuses.putRemoteStatus, { status: { ...early.status, html: '<p>b</p>', edited_at: edited() } })
    expect((await show(early.id)).quote).toBeNull()
    expect(await quotesCount(closed.id)).toBe(0)
  })
})

describe('a quote between remote accounts', () => {
  const noteOf = (uri: string) => {
    const { author: _author, mentions: _mentions, push: _push, ...note } = remote({ uri })
    return { ...note, authorUri: far.uri, mentionUris: [] }
  }
  test('is accepted with a proved approval, after the quoted status is fetched', async () => {
    const quoted = 'https://far.example/notes/fetched'
    const uri = 'https://else.example/notes/1'
    const eli = harness.fakes.fakeAccount('eli', { domain: 'else.example' })
    harness.fakes.outside.set(quoted, noteOf(quoted))
    harness.fakes.authorizations.set('https://far.example/stamps/7', `${uri} quotes ${quoted}`)
    const { id } = await put({
      uri,
      author: eli.id,
      quote: { uri: quoted, stamp: 'https://far.example/stamps/7', legacy: false },
    })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted', quoted_status: { uri: quoted } })
  })
  test('waits for a server that does not respond, and causes few lookups of unknown accounts', async () => {
    const [quoted, uri] = ['https://far.example/notes/late', 'https://else.example/notes/late']
    const ela = harness.fakes.fakeAccount('ela', { domain: 'else.example' })
    const mentionUris = Array.from({ length: 20 }, (_, i) => ({ uri: `https://v.example/users/${i}`, silent: false }))
    const context = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    const check = (status: string, tries: number) => checkQuote.run(context, { status, depth: 2 }, { id: 'x', tries })
    const { id } = await put({ uri, author: ela.id, quote: { uri: quoted, stamp: null, legacy: false } })
    harness.fakes.outside.set(quoted, { ...noteOf(quoted), mentionUris })
    harness.fakes.away.add(quoted)
    await expect(check(id, 1)).rejects.toMatchObject({ code: 'unavailable' })
    harness.fakes.away.delete(quoted)
    const before = harness.fakes.asked.length
    await check(id, 2)
    expect((await call(statuses.statusRecords, { uris: [quoted] })).records).toHaveLength(1)
    const lookedUp = harness.fakes.asked.slice(before).filter((one) => one === 'accounts.account.resolve')
    // One of them is the author.
    expect(lookedUp).toHaveLength(6)
  })
  test('stays pending while the server of the quoted status or of the approval is down or refuses, and is settled later', async () => {
    const [quoted, stamp] = ['https://far.example/notes/away', 'https://far.example/stamps/away']
    const uri = 'https://else.example/notes/away'
    const ena = harness.fakes.fakeAccount('ena', { domain: 'else.example' })
    const context = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    const check = (tries: number) => checkQuote.run(context, { status: id, depth: 2 }, { id: 'x', tries })
    const state = async () => (await show(id)).quote?.state
    const { id } = await put({ uri, author: ena.id, quote: { uri: quoted, stamp, legacy: false } })
    harness.fakes.outside.set(quoted, noteOf(quoted))
    const last = statuses.checkQuote.retry.times
    expect(last).toBe(1 + 5)
    for (const address of [quoted, stamp]) {
      harness.fakes.away.add(address)
      await expect(check(last - 1)).rejects.toMatchObject({ code: 'unavailable' })
      await check(last)
      expect(await state()).toBe('pending')
      harness.fakes.away.delete(address)
    }
    harness.fakes.refusing.add(stamp)
    await check(1)
    expect(await state()).toBe('pending')
    harness.fakes.refusing.delete(stamp)
    harness.fakes.authorizations.set(stamp, `${uri} quotes ${quoted}`)
    await check(1)
    expect(await state()).toBe('accepted')
  })
  test('is rejected with an approval of another quote', async () => {
    const { status: quoted } = await put()
    const eli = harness.fakes.fakeAccount('eva', { domain: 'else.example' })
    const { id } = await put({
      uri: 'https://else.example/notes/2',
      author: eli.id,
      quote: { uri: quoted.uri, stamp: 'https://far.example/stamps/7', legacy: false },
    })
    expect((await show(id)).quote).toEqual({ state: 'rejected', quoted_status: null })
  })
  test('objects 9 is checked again days after its proof when the status is opened: a temporary refusal changes nothing, the end of the approval hides the quote', async () => {
    const [quoted, uri, stamp] = [
      'https://far.example/notes/old',
      'https://else.example/notes/old',
      'https://far.example/stamps/old',
    ]
    const elo = harness.fakes.fakeAccount('elo', { domain: 'else.example' })
    const context = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    harness.fakes.outside.set(quoted, noteOf(quoted))
    harness.fakes.authorizations.set(stamp, `${uri} quotes ${quoted}`)
    const { id } = await put({ uri, author: elo.id, quote: { uri: quoted, stamp, legacy: false } })
    const state = async () => (await show(id)).quote?.state
    expect(await state()).toBe('accepted')
    const asked = async (look: () => Promise<unknown>) => {
      const before = harness.fakes.asked.length
      await look()
      await harness.cluster.waitForIdle()
      return harness.fakes.asked.slice(before).filter((one) => one === 'federation.fetch.stamp').length
    }
    const later = (days: number) => async () => {
      context.clock.moveTo(days * 86_400_000)
      await checkQuote.run(context, { status: id, depth: 2 }, { id: 'x', tries: 1 })
      context.clock.moveTo(0)
    }
    expect(await asked(() => call(statuses.showThread, { id }, harness.as(ann)))).toBe(0)
    expect(await asked(later(4))).toBe(1)
    expect(await asked(later(5))).toBe(0)
    expect(await state()).toBe('accepted')
    harness.fakes.refusing.add(stamp)
    expect(await asked(later(8))).toBe(1)
    expect(await state()).toBe('accepted')
    harness.fakes.refusing.delete(stamp)
    harness.fakes.authorizations.delete(stamp)
    expect(await asked(later(8.5))).toBe(1)
    expect(await state()).toBe('accepted')
    harness.fakes.authorizations.set(stamp, `${uri} quotes ${quoted}`)
    expect(await asked(later(9))).toBe(1)
    expect(await asked(later(10))).toBe(0)
    expect(await state()).toBe('accepted')
    harness.fakes.authorizations.delete(stamp)
    harness.fakes.gone.add(stamp)
    expect(await asked(later(13))).toBe(1)
    expect(await state()).toBe('revoked')
  })
  test('objects 9 is hidden after its approval is missing on three consecutive days; the count restarts when it is found', async () => {
    const name = 'absent'
    const [quoted, uri, stamp] = [`notes/${name}`, `notes/${name}`, `stamps/${name}`].map(
      (path, i) => `https://${i === 1 ? 'else' : 'far'}.example/${path}`,
    ) as [string, string, string]
    const ela = harness.fakes.fakeAccount('ela', { domain: 'else.example' })
    const context = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    harness.fakes.outside.set(quoted, noteOf(quoted))
    const given = () => harness.fakes.authorizations.set(stamp, `${uri} quotes ${quoted}`)
    given()
    const { id } = await put({ uri, author: ela.id, quote: { uri: quoted, stamp, legacy: false } })
    const stateOn = async (...days: number[]) => {
      for (const day of days) {
        context.clock.moveTo(day * 86_400_000)
        await checkQuote.run(context, { status: id, depth: 2 }, { id: 'x', tries: 1 })
        context.clock.moveTo(0)
      }
      return (await show(id)).quote?.state
    }
    harness.fakes.authorizations.delete(stamp)
    // Only the first miss of a day counts.
    expect(await stateOn(4, 4.1, 4.2, 5, 5.5)).toBe('accepted')
    given()
    expect(await stateOn(6)).toBe('accepted')
    harness.fakes.authorizations.delete(stamp)
    expect(await stateOn(10, 11)).toBe('accepted')
    // A refusal in between does not count.
    harness.fakes.refusing.add(stamp)
    expect(await stateOn(12)).toBe('accepted')
    harness.fakes.refusing.delete(stamp)
    expect(await stateOn(13)).toBe('revoked')
  })
  test('that was revoked because its approval was gone is shown again only when a later version proves an approval', async () => {
    const [quoted, uri] = ['https://far.example/notes/again', 'https://else.example/notes/again']
    const [first, second, deleted] = [1, 2, 3].map((n) => `https://far.example/stamps/again-${n}`) as [
      string,
      string,
      string,
    ]
    const eda = harness.fakes.fakeAccount('eda', { domain: 'else.example' })
    const context = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    harness.fakes.outside.set(quoted, noteOf(quoted))
    const prove = (stamp: string) => harness.fakes.authorizations.set(stamp, `${uri} quotes ${quoted}`)
    let version = 0
    const store = async (stamp: string) => {
      const edited_at = version === 0 ? {} : { edited_at: new Date(Date.now() + version * 1_000).toISOString() }
      const html = `<p>version ${version++}</p>`
      const { id } = await put({
        uri,
        author: eda.id,
        html,
        ...edited_at,
        quote: { uri: quoted, stamp, legacy: false },
      })
      await harness.cluster.waitForIdle()
      return { id, state: (await show(id)).quote?.state }
    }
    prove(first)
    const { id, state } = await store(first)
    expect(state).toBe('accepted')
    harness.fakes.authorizations.delete(first)
    harness.fakes.gone.add(first)
    context.clock.moveTo(4 * 86_400_000)
    await checkQuote.run(context, { status: id, depth: 2 }, { id: 'x', tries: 1 })
    context.clock.moveTo(0)
    expect((await show(id)).quote?.state).toBe('revoked')
    expect((await store(first)).state).toBe('revoked')
    await call(statuses.revokeApproval, { actor: far.id, approval: deleted })
    prove(deleted)
    expect((await store(deleted)).state).toBe('revoked')
    prove(second)
    expect((await store(second)).state).toBe('accepted')
  })
  test('keeps the newer quote policy when an older version is stored after it', async () => {
    const { id, status } = await put()
    const closed = { quote_policy: { automatic: [], manual: [] }, edited_at: new Date().toISOString() }
    await call(statuses.putRemoteStatus, { status: { ...status, ...closed, html: '<p>closed</p>' } })
    await call(statuses.putRemoteStatus, { status })
    expect(await show(id, bob)).toMatchObject({ content: '<p>closed</p>', quote_approval: { automatic: [] } })
  })
  test("of the author's own status needs no approval, is added by an update, and removed by an edit", async () => {
    const { status: quoted } = await put()
    const { id: own } = await put({ quote: { uri: quoted.uri, stamp: null, legacy: false } })
    expect((await show(own)).quote).toMatchObject({ state: 'accepted' })
    const eli = harness.fakes.fakeAccount('els', { domain: 'else.example' })
    const base = { uri: 'https://else.example/notes/3', author: eli.id }
    const { id } = await put({ ...base, quote: { uri: quoted.uri, stamp: null, legacy: false } })
    expect((await show(id)).quote).toMatchObject({ state: 'pending' })
    harness.fakes.authorizations.set('https://far.example/stamps/8', `${base.uri} quotes ${quoted.uri}`)
    await put({ ...base, quote: { uri: quoted.uri, stamp: 'https://far.example/stamps/8', legacy: false } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    await put({ ...base, html: '<p>new</p>', edited_at: new Date().toISOString(), quote: null })
    expect((await show(id)).quote).toBeNull()
  })
})

describe('an edit of a remote status that does not change its quote keeps the quote', () => {
  let counter = 0
  const author = () => harness.fakes.fakeAccount(`asker${++counter}`, { domain: 'else.example' })
  const edit = async (status: RemoteStatus, quoted: RemoteStatus['quote'] = status.quote) => {
    await put({
      ...status,
      quote: quoted,
      html: `<p>edit ${++counter}</p>`,
      edited_at: new Date(Date.now() - 30_000 + counter).toISOString(),
    })
  }
  /** The quote as its row, with its announcements and the count of the quoted status. */
  const stateOf = async (id: string) => ({
    shown: await show(id).then(({ quote }) => [
      quote?.state,
      quote && 'quoted_status' in quote && quote.quoted_status?.id,
    ]),
    announced: (await events('quote.accepted', id)).length,
    row: await harness.cluster.db('statuses').row(sql`select id, state, quoted_id from quotes where status_id = ${id}`),
  })
  const keeps = async (id: string, status: RemoteStatus, others: RemoteStatus['quote'][] = []) => {
    const before = await stateOf(id)
    for (const quoted of [status.quote, ...others]) {
      await edit(status, quoted)
      expect(await stateOf(id)).toEqual(before)
    }
  }
  const uri = () => `https://else.example/notes/keep${++counter}`

  test('of a local status, in each form, with a page as address, and after the policy was closed', async () => {
    const original = await harness.post(ann, 'wise')
    const asker = author()
    const at = uri()
    const { stamp } = await call(statuses.requestQuote, { actor: asker.id, quoted: original.uri, status: at })
    const { id, status } = await put({
      uri: at,
      author: asker.id,
      quote: { uri: original.uri, stamp: null, legacy: false },
    })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    const forms: RemoteStatus['quote'][] = [
      { uri: original.uri, stamp, legacy: false },
      { uri: original.uri, stamp: 'https://else.example/stamps/0', legacy: false },
      { uri: original.uri, stamp: null, legacy: true },
      { uri: `${harness.cluster.origin}/@ann/${original.id}`, stamp: null, legacy: false },
    ]
    await keeps(id, status, forms)
    await call(statuses.setInteractionPolicy, { id: original.id, quote_approval_policy: 'nobody' }, harness.as(ann))
    await keeps(id, status, forms)
    harness.fakes.block(ann, asker)
    await keeps(id, status, forms)
  })
  test.each([false, true])('of a deleted local status, older form %j', async (legacy) => {
    const original = await harness.post(ann, 'wise')
    const asker = author()
    const at = uri()
    await call(statuses.requestQuote, { actor: asker.id, quoted: original.uri, status: at })
    const { id, status } = await put({ uri: at, author: asker.id, quote: { uri: original.uri, stamp: null, legacy } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    await call(statuses.deleteStatus, { id: original.id }, harness.as(ann))
    await keeps(id, status, [{ uri: `${harness.cluster.origin}/@ann/${original.id}`, stamp: null, legacy }])
  })
  test('of a remote status, which was deleted since then', async () => {
    const { status: quoted } = await put()
    const [asker, at, stamp] = [author(), uri(), 'https://far.example/stamps/keep']
    harness.fakes.authorizations.set(stamp, `${at} quotes ${quoted.uri}`)
    const { id, status } = await put({ uri: at, author: asker.id, quote: { uri: quoted.uri, stamp, legacy: false } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted' })
    await keeps(id, status, [{ uri: quoted.url ?? '', stamp, legacy: false }])
    await call(statuses.removeRemoteStatus, { uri: quoted.uri, author: far.id })
    await harness.cluster.waitForIdle()
    expect((await show(id)).quote).toMatchObject({ state: 'deleted' })
    await keeps(id, status)
  })
  test('by an address that is found only by a request', async () => {
    const [asker, at, stamp] = [author(), uri(), 'https://far.example/stamps/alias']
    const [alias, quoted] = ['https://far.example/users/dan/99', 'https://far.example/notes/aliased']
    const { author: _author, mentions: _mentions, push: _push, ...note } = remote({ uri: quoted })
    harness.fakes.outside.set(alias, { ...note, authorUri: far.uri, mentionUris: [] })
    harness.fakes.authorizations.set(stamp, `${at} quotes ${quoted}`)
    const { id, status } = await put({ uri: at, author: asker.id, quote: { uri: alias, stamp, legacy: false } })
    expect((await show(id)).quote).toMatchObject({ state: 'accepted', quoted_status: { uri: quoted } })
    await keeps(id, status, [{ uri: quoted, stamp, legacy: false }])
    harness.fakes.away.add(alias)
    await keeps(id, status)
    harness.fakes.away.delete(alias)
  })
})

describe('streams', () => {
  const stream = async (id: string, who: FakeAccount, surface: 'user' | 'public') => {
    const { card, tails, tailOf } = await call(statuses.renderForListeners, {
      id,
      listeners: [who.id],
      grants: [who.id].map(harness.cluster.grant),
      surface,
    })
    const tail = tails[tailOf[0] ?? -1]
    return card === null || tail === undefined ? null : JSON.parse(card + tail)
  }
  test.each(['user', 'public'] as const)(
    'a quote is rendered for each listener by what they may see: %s',
    async (surface) => {
      const eve = harness.fakes.fakeAccount(`eve-${surface}`)
      const reader = harness.fakes.fakeAccount(`reader-${surface}`)
      harness.fakes.follow(reader, bob)
      const original = await harness.post(eve, 'mine')
      const quoting = await quote(bob, original.id)
      await call(statuses.addFavourite, { id: original.id }, harness.as(reader))
      const seen = await stream(quoting.id, reader, surface)
      expect(seen.quote).toMatchObject({ state: 'accepted', quoted_status: { id: original.id } })
      if (surface === 'user') expect(seen.quote.quoted_status.favourited).toBe(true)
      harness.fakes.block(reader, eve)
      expect((await stream(quoting.id, reader, surface)).quote).toMatchObject({ state: 'blocked_account' })
      harness.fakes.blocks.clear()
      harness.fakes.block(eve, reader)
      expect((await stream(quoting.id, reader, surface)).quote).toEqual({ state: 'unauthorized', quoted_status: null })
      harness.fakes.blocks.clear()
    },
  )

  test.each(['user', 'public', 'hashtag'] as const)(
    'each listener receives their own permission to quote: %s',
    async (surface) => {
      const author = harness.fakes.fakeAccount(`author-${surface}`)
      const follower = harness.fakes.fakeAccount(`follower-${surface}`)
      const other = harness.fakes.fakeAccount(`other-${surface}`)
      harness.fakes.follow(follower, author)
      const listeners = [author.id, follower.id, other.id]
      const rights = async (id: string) => {
        const { card, tails, tailOf } = await call(statuses.renderForListeners, {
          id,
          listeners,
          grants: listeners.map(harness.cluster.grant),
          surface,
        })
        return tailOf.map((place) => {
          const status = JSON.parse(`${card}${tails[place]}`)
          return [status.quote_approval.current_user, status.quote?.quoted_status?.quote_approval.current_user]
        })
      }
      const open = await harness.post(author, { status: 'open', quote_approval_policy: 'public' })
      expect(await rights(open.id)).toEqual(
        [['automatic'], ['automatic'], ['automatic']].map(([one]) => [one, undefined]),
      )
      const near = await harness.post(author, { status: 'near', quote_approval_policy: 'followers' })
      expect(await rights(near.id)).toEqual([['automatic'], ['automatic'], ['denied']].map(([one]) => [one, undefined]))
      const closed = await harness.post(author, { status: 'shut', quote_approval_policy: 'nobody' })
      expect(await rights(closed.id)).toEqual([['automatic'], ['denied'], ['denied']].map(([one]) => [one, undefined]))
      const quoting = await quote(author, near.id, { quote_approval_policy: 'public' })
      expect(await rights(quoting.id)).toEqual([
        ['automatic', 'automatic'],
        ['automatic', 'automatic'],
        ['automatic', 'denied'],
      ])
    },
  )

  test('a policy for accounts that the author follows is evaluated for each listener, also within a boost', async () => {
    const [fan, followed, booster] = ['fan1', 'followed1', 'booster1'].map((name) => harness.fakes.fakeAccount(name))
    if (!fan || !followed || !booster) throw new Error('no accounts')
    const { id } = await put({
      uri: 'https://far.example/notes/following',
      quote_policy: { automatic: ['following'], manual: ['followers'] },
    })
    harness.fakes.follow(fan, far)
    harness.fakes.follow(far, followed)
    const listeners = [fan.id, followed.id, booster.id]
    const rights = async (status: string, surface: 'public' | 'user') => {
      const { card, tails, tailOf } = await call(statuses.renderForListeners, {
        id: status,
        listeners,
        grants: listeners.map(harness.cluster.grant),
        surface,
      })
      return tailOf.map((place) => {
        const seen = JSON.parse(`${card}${tails[place]}`)
        return (seen.reblog ?? seen).quote_approval.current_user
      })
    }
    expect(await rights(id, 'public')).toEqual(['manual', 'automatic', 'denied'])
    const boost = await call(statuses.addReblog, { id }, harness.as(booster))
    expect(await rights(boost.id, 'user')).toEqual(['manual', 'automatic', 'denied'])
  })
})
