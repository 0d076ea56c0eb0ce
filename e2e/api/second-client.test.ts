/** A second unmodified client library in a long session with most features of the API. */
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Product } from '@murmuration/testkit'
import { openBrowser } from '@murmuration/testkit/browser/forms'
import generator, { detector, type Entity, type MegalodonInterface, type WebSocketInterface } from 'megalodon'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, startWhole, type TestUser } from '../product.js'

let product: Product
let alice: TestUser
let bob: TestUser
/** Client of alice, who signs in through the pages. The token of bob is created by the operator. */
let hers: MegalodonInterface
let his: MegalodonInterface
const live: WebSocketInterface[] = []
const heard: [string, unknown][] = []
const logs = () => dirname(product.env.BLOB_DIR ?? '')

beforeAll(async () => {
  product = await startWhole()
  ;[alice, bob] = await Promise.all([createUser(product, 'alice'), createUser(product, 'bob')])
  his = generator('mastodon', product.origin, bob.token)
})
afterAll(async () => {
  for (const one of live) {
    one.removeAllListeners()
    one.stop()
  }
  await product?.stop()
})

const STATUS = `id uri url account in_reply_to_id in_reply_to_account_id reblog content created_at edited_at emojis
  replies_count reblogs_count favourites_count reblogged favourited muted sensitive spoiler_text visibility media_attachments
  mentions tags card poll language bookmarked quote quote_approval`
const ACCOUNT = `id username acct display_name locked bot group created_at followers_count following_count statuses_count note
  url avatar avatar_static header header_static emojis fields`
const RELATIONSHIP = `id following followed_by blocking blocked_by muting muting_notifications requested domain_blocking
  showing_reblogs endorsed notifying note languages`
const ATTACHMENT = 'id type url remote_url preview_url text_url meta description blurhash'
const POLL = 'id expires_at expired multiple votes_count options voted'
const NOTIFICATION = 'id type created_at account'
const INSTANCE = `uri title description email version thumbnail urls stats languages registrations approval_required
  invites_enabled configuration contact_account rules`

/** Asserts that an entity as parsed by the library has each of these fields, null or not. */
const has = <T extends object>(entity: T, fields: string): T => {
  const missing = fields.split(/\s+/).filter((field) => (entity as Record<string, unknown>)[field] === undefined)
  expect([missing, entity]).toEqual([[], entity])
  return entity
}
const status = (one: Entity.Status): Entity.Status => {
  has(one, STATUS)
  has(one.account, ACCOUNT)
  for (const file of one.media_attachments) has(file, ATTACHMENT)
  if (one.poll) has(one.poll, POLL)
  if (one.reblog) status(one.reblog)
  return one
}
const posted = async (
  who: MegalodonInterface,
  text: string,
  more: Parameters<MegalodonInterface['postStatus']>[1] = {},
) => status((await who.postStatus(text, more)).data as Entity.Status)
const ids = (page: { data: { id: string }[] }) => page.data.map((one) => one.id)

test('detects the server software, registers an application, and signs in through the pages', async () => {
  expect(await detector(product.origin)).toBe('mastodon')
  const anonymous = generator('mastodon', product.origin)
  has((await anonymous.getInstance()).data, INSTANCE)
  const app = await anonymous.registerApp('Second', { scopes: ['read', 'write', 'follow', 'push'] })
  const browser = openBrowser()
  await browser.get(app.url ?? '')
  await browser.submit(0, { fields: { 'user[email]': alice.email, 'user[password]': alice.password } })
  const { url } = await browser.submit(0, { button: 'Authorize' })
  const code = new URL(url).searchParams.get('code') ?? ''
  const token = await anonymous.fetchAccessToken(app.client_id, app.client_secret, code)
  expect(token).toMatchObject({ access_token: expect.any(String), token_type: 'Bearer', scope: expect.any(String) })
  hers = generator('mastodon', product.origin, token.access_token)
  has((await hers.verifyAppCredentials()).data, 'name')
  const me = has((await hers.verifyAccountCredentials()).data, `${ACCOUNT} source`)
  expect(me).toMatchObject({ id: alice.id, username: 'alice' })
})

test('edits the profile and finds another account', async () => {
  const { data } = await hers.updateCredentials({
    display_name: 'Alice A.',
    note: 'Reads a lot',
    discoverable: true,
    fields_attributes: [{ name: 'Home', value: 'Here' }],
    source: { privacy: 'public', language: 'en' },
  })
  expect(has(data, ACCOUNT)).toMatchObject({ display_name: 'Alice A.', fields: [{ name: 'Home', value: 'Here' }] })
  has((await hers.getPreferences()).data, 'posting:default:visibility posting:default:sensitive reading:expand:media')
  const [found] = (await hers.searchAccount('bob', { limit: 5 })).data
  expect(has(found ?? {}, ACCOUNT)).toMatchObject({ id: bob.id })
  expect((await hers.lookupAccount('bob')).data.id).toBe(bob.id)
  expect(has((await hers.followAccount(bob.id)).data, RELATIONSHIP)).toMatchObject({ following: true })
  has((await his.followAccount(alice.id)).data, RELATIONSHIP)
  const [relationship] = (await hers.getRelationships([bob.id])).data
  expect(has(relationship ?? {}, RELATIONSHIP)).toMatchObject({ following: true, followed_by: true })
  expect((await hers.setAccountNote(bob.id, 'a friend')).data.note).toBe('a friend')
  expect(ids(await hers.getAccountFollowers(alice.id))).toEqual([bob.id])
  expect(ids(await hers.getAccountFollowing(alice.id))).toEqual([bob.id])
  has((await hers.pinAccount(bob.id)).data, RELATIONSHIP)
  expect(ids(await hers.getEndorsements())).toEqual([bob.id])
})

test('opens the streams of the user and of direct conversations', async () => {
  for (const open of [hers.userStreaming, hers.directStreaming]) {
    const one = await open.call(hers)
    live.push(one)
    for (const event of ['update', 'status_update', 'notification', 'delete', 'conversation', 'error'])
      one.on(event, (what: unknown) => heard.push([event, what]))
    await new Promise((resolve) => one.on('connect', resolve))
  }
  // The socket opens before the server subscribes for it, so statuses are posted until the stream receives one.
  await expect
    .poll(
      async () => {
        await posted(his, 'Somebody there?')
        await product.waitForIdle()
        return heard.map(([event]) => event)
      },
      { interval: 500 },
    )
    .toContain('update')
  status(heard.find(([event]) => event === 'update')?.[1] as Entity.Status)
})

test('posts with a picture, and with a poll in which another account votes', async () => {
  const picture = join(logs(), 'picture.png')
  writeFileSync(
    picture,
    await sharp({ create: { width: 320, height: 240, channels: 3, background: '#804020' } })
      .png()
      .toBuffer(),
  )
  const uploaded = await hers.uploadMedia(createReadStream(picture), { description: 'plain', focus: '0.1,-0.2' })
  const file = has((await hers.getMedia(uploaded.data.id)).data, ATTACHMENT)
  expect(file).toMatchObject({ type: 'image', description: 'plain', meta: { focus: { x: 0.1, y: -0.2 } } })
  expect((await hers.updateMedia(file.id, { description: 'plain brown' })).data.description).toBe('plain brown')
  const shown = await posted(hers, 'Look #brown', { media_ids: [file.id], sensitive: true, spoiler_text: 'brown' })
  expect(shown).toMatchObject({
    spoiler_text: 'brown',
    media_attachments: [{ id: file.id, description: 'plain brown' }],
  })

  const asking = await posted(hers, 'Which?', {
    poll: { options: ['this', 'that'], expires_in: 3_600, multiple: true },
  })
  const answered = has((await his.votePoll(asking.poll?.id ?? '', [0, 1])).data, POLL)
  expect(answered).toMatchObject({ voted: true, votes_count: 2, options: [{ votes_count: 1 }, { votes_count: 1 }] })
  has((await hers.getPoll(answered.id)).data, POLL)
})

test('replies, edits, boosts, favourites, bookmarks, pins, mutes, and undoes each', async () => {
  const said = await posted(his, 'A thing to talk about @alice #talk')
  const answer = await posted(hers, '@bob indeed', { in_reply_to_id: said.id })
  expect(answer).toMatchObject({ in_reply_to_id: said.id, mentions: [{ id: bob.id }] })
  expect(has((await hers.getStatusSource(answer.id)).data, 'id text spoiler_text').text).toBe('@bob indeed')
  const edited = status((await hers.editStatus(answer.id, { status: '@bob indeed so' })).data)
  expect(edited).toMatchObject({ content: expect.stringContaining('indeed so'), edited_at: expect.any(String) })
  const { ancestors, descendants } = (await hers.getStatusContext(said.id)).data
  expect([ancestors, descendants.map((one) => status(one).id)]).toEqual([[], [answer.id]])

  const boost = status((await hers.reblogStatus(said.id)).data)
  expect(boost.reblog).toMatchObject({ id: said.id, reblogged: true })
  expect(status((await hers.favouriteStatus(said.id)).data)).toMatchObject({ favourited: true, favourites_count: 1 })
  expect(status((await hers.bookmarkStatus(said.id)).data).bookmarked).toBe(true)
  expect(status((await hers.muteStatus(answer.id)).data).muted).toBe(true)
  expect(status((await hers.pinStatus(answer.id)).data).pinned).toBe(true)
  expect(ids(await hers.getAccountStatuses(alice.id, { pinned: true }))).toEqual([answer.id])
  expect(ids(await hers.getStatusRebloggedBy(said.id))).toEqual([alice.id])
  expect(ids(await hers.getStatusFavouritedBy(said.id))).toEqual([alice.id])
  expect(ids(await hers.getFavourites({ limit: 5 }))).toEqual([said.id])
  expect(ids(await hers.getBookmarks({ limit: 5 }))).toEqual([said.id])
  expect(status((await hers.unpinStatus(answer.id)).data).pinned).toBe(false)
  expect(status((await hers.unmuteStatus(answer.id)).data).muted).toBe(false)
  expect(status((await hers.unreblogStatus(said.id)).data).reblogged).toBe(false)
  expect(status((await hers.unfavouriteStatus(said.id)).data).favourited).toBe(false)
  expect(status((await hers.unbookmarkStatus(said.id)).data).bookmarked).toBe(false)

  const later = (await hers.postStatus('Later', { scheduled_at: new Date(Date.now() + 864e5).toISOString() })).data
  has(later, 'id scheduled_at params media_attachments')
  expect(ids(await hers.getScheduledStatuses())).toEqual([later.id])
  await hers.scheduleStatus(later.id, new Date(Date.now() + 2 * 864e5).toISOString())
  await hers.cancelScheduledStatus(later.id)
  expect(ids(await hers.getScheduledStatuses())).toEqual([])
})

test('reads every timeline, page by page', async () => {
  await product.waitForIdle()
  const home = await hers.getHomeTimeline({ limit: 2 })
  expect(home.data.map((one) => status(one).id)).toHaveLength(2)
  const older = await hers.getHomeTimeline({ limit: 2, max_id: home.data[1]?.id ?? '' })
  expect(ids(older).some((id) => ids(home).includes(id))).toBe(false)
  for (const page of [
    await hers.getPublicTimeline(),
    await hers.getLocalTimeline({ only_media: true }),
    await hers.getTagTimeline('brown', { local: true }),
    await hers.getAccountStatuses(alice.id, { exclude_replies: true, exclude_reblogs: true }),
  ]) {
    expect(page.data.length).toBeGreaterThan(0)
    page.data.forEach(status)
  }
  const list = has((await hers.createList('friends')).data, 'id title replies_policy')
  await hers.addAccountsToList(list.id, [bob.id])
  expect(ids(await hers.getAccountsInList(list.id))).toEqual([bob.id])
  expect((await hers.updateList(list.id, 'close friends')).data.title).toBe('close friends')
  expect(ids(await hers.getLists())).toEqual([list.id])
  expect(ids(await hers.getAccountLists(bob.id))).toEqual([list.id])
  const listed = await posted(his, 'For the list')
  await product.waitForIdle()
  expect(ids(await hers.getListTimeline(list.id))).toContain(listed.id)
  await hers.deleteAccountsFromList(list.id, [bob.id])
  await hers.deleteList(list.id)
})

test('searches, follows hashtags, and reads trends, directory and instance', async () => {
  const results = has((await hers.search('brown', { resolve: true })).data, 'accounts statuses hashtags')
  expect(results.hashtags.map((tag) => tag.name)).toContain('brown')
  has((await hers.followTag('brown')).data, 'name url history')
  expect((await hers.getFollowedTags()).data.map((tag) => tag.name)).toEqual(['brown'])
  expect((await hers.unfollowTag('brown')).data.following).toBe(false)
  const featured = has((await hers.createFeaturedTag('brown')).data, 'id name statuses_count')
  expect(ids(await hers.getFeaturedTags())).toEqual([featured.id])
  await hers.deleteFeaturedTag(featured.id)
  for (const page of [
    await hers.getSuggestedTags(),
    await hers.getSuggestions(5),
    await hers.getInstanceTrends(5),
    await hers.getInstanceDirectory({ limit: 5, local: true }),
    await hers.getInstanceCustomEmojis(),
    await hers.getInstanceAnnouncements(),
    await hers.getInstancePeers(),
    await hers.getInstanceActivity(),
    await hers.getIdentityProof(bob.id),
    await hers.getFollowRequests(),
  ])
    expect(page.data).toBeInstanceOf(Array)
})

test('sends a direct status, and reads and clears notifications', async () => {
  await posted(his, '@alice between us', { visibility: 'direct' })
  await posted(his, '@alice and in the open')
  await product.waitForIdle()
  const [talk] = (await hers.getConversationTimeline()).data
  expect(talk).toMatchObject({ unread: true, accounts: [{ id: bob.id }] })
  status(talk?.last_status as Entity.Status)
  expect((await hers.readConversation(talk?.id ?? '')).data.unread).toBe(false)
  await hers.deleteConversation(talk?.id ?? '')

  const page = (await hers.getNotifications({ limit: 30, exclude_types: ['follow'] })).data
  expect(new Set(page.map((one) => has(one, NOTIFICATION).type))).toEqual(new Set(['mention']))
  const [newest] = page
  has((await hers.getNotification(newest?.id ?? '')).data, NOTIFICATION)
  const marked = await hers.saveMarkers({ notifications: { last_read_id: newest?.id ?? '' } })
  expect(marked.data.notifications?.last_read_id).toBe(newest?.id)
  expect((await hers.getMarkers(['notifications'])).data).toEqual(marked.data)
  await hers.dismissNotification(newest?.id ?? '')
  await hers.dismissNotifications()
  expect((await hers.getNotifications()).data).toEqual([])
})

test('filters keywords, mutes, blocks and reports, and undoes each', async () => {
  const filter = has((await hers.createFilter('spoiled', ['home'], { whole_word: true })).data, 'id phrase context')
  expect((await hers.updateFilter(filter.id, 'spoilt', ['home', 'public'])).data.phrase).toBe('spoilt')
  expect(ids(await hers.getFilters())).toEqual([filter.id])
  has((await hers.getFilter(filter.id)).data, 'id phrase context expires_at irreversible whole_word')
  await hers.deleteFilter(filter.id)
  const carol = await createUser(product, 'carol')
  expect((await hers.muteAccount(carol.id, true)).data.muting).toBe(true)
  expect(ids(await hers.getMutes())).toEqual([carol.id])
  await hers.unmuteAccount(carol.id)
  expect((await hers.blockAccount(carol.id)).data.blocking).toBe(true)
  expect(ids(await hers.getBlocks())).toEqual([carol.id])
  await hers.unblockAccount(carol.id)
  await hers.blockDomain('nowhere.example')
  expect((await hers.getDomainBlocks()).data).toEqual(['nowhere.example'])
  await hers.unblockDomain('nowhere.example')
  const { data } = await hers.report(carol.id, { comment: 'noise', category: 'spam', forward: false })
  expect(has(data, 'id action_taken category comment forwarded target_account')).toMatchObject({ category: 'spam' })
})

test('subscribes to push messages', async () => {
  const keys = {
    p256dh: 'BEm_a0bdPDhf0SOsrnB2-ategf1hHoCnpXgQsFj5JCkcoMrMt2WHoPfEYOYPzOIs9mZE8ZUaD7VA5vouy0kEkr8',
    auth: 'eH_C8rq2raXqlcBVDa1gLg',
  }
  const wanted = { endpoint: 'https://push.example/second', keys }
  const made = await hers.subscribePushNotification(wanted, { alerts: { follow: true, mention: true } })
  expect(has(made.data, 'id endpoint server_key alerts')).toMatchObject({ alerts: { follow: true, mention: true } })
  expect((await hers.updatePushSubscription({ alerts: { follow: false, mention: true } })).data.alerts.follow).toBe(
    false,
  )
  expect((await hers.getPushSubscription()).data.endpoint).toBe(wanted.endpoint)
  await hers.deletePushSubscription()
})

test('received all events on the stream', async () => {
  const gone = await posted(his, '@alice soon gone')
  await his.editStatus(gone.id, { status: '@alice very soon gone' })
  await product.waitForIdle()
  await his.deleteStatus(gone.id)
  await posted(his, '@alice between us two', { visibility: 'direct' })
  const all = ['update', 'status_update', 'notification', 'delete', 'conversation']
  await expect.poll(() => heard.map(([event]) => event)).toEqual(expect.arrayContaining(all))
  expect(heard.filter(([event]) => event === 'error')).toEqual([])
  for (const [event, what] of heard) {
    if (event === 'update' || event === 'status_update') status(what as Entity.Status)
    if (event === 'notification') has(what as object, NOTIFICATION)
  }
})

test('the server logged no error', () => {
  const lines = readdirSync(logs())
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readFileSync(join(logs(), name), 'utf8').split('\n'))
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
})
