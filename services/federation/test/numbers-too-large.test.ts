/** Local addresses with numbers that are too large for an id have no effect. */
import { homeTimeline } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

/** One digit too few to be refused by its length. */
const NUMBER = '9999999999999999999'
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

const ours = (path: string) => `${fixture.harness.origin}${path}`
const deadLetters = async () =>
  (
    await Promise.all(
      ['accounts', 'statuses', 'federation'].map((name) =>
        fixture.harness.db(name).rows(sql`select consumer, reason from dead_letters`),
      ),
    )
  ).flat()

test('hostile ids that are too large find nothing', async () => {
  const { bob, post, harness } = fixture
  const paths = [
    `/ap/users/${NUMBER}`,
    `/ap/users/${NUMBER}/outbox`,
    `/ap/users/${NUMBER}/followers`,
    `/ap/users/${NUMBER}/featured_collections`,
    `/ap/contexts/${NUMBER}`,
    `/.well-known/webfinger?resource=${encodeURIComponent(ours(`/ap/users/${NUMBER}`))}`,
    ...['collections', 'feature_authorizations', 'quote_authorizations', 'statuses'].map(
      (name) => `${new URL(bob.uri).pathname}/${name}/${NUMBER}`,
    ),
    ...['replies', 'likes', 'shares', 'activity'].map(
      (name) => `${new URL(bob.uri).pathname}/statuses/${NUMBER}/${name}`,
    ),
  ]
  const found = await Promise.all(
    paths.map(async (path) => {
      const { status } = await fetch(ours(path), { headers: { accept: 'application/activity+json' } })
      return `${status} ${path}`
    }),
  )
  expect(found).toEqual(paths.map((path) => `404 ${path}`))
  // A place in a list that nobody can have been at is no place.
  const pages = [`${bob.uri}/outbox?page=true&max_id=${NUMBER}`, `${post.uri}/replies?page=true&min_id=${NUMBER}`]
  const statuses = await Promise.all(pages.map(async (url) => (await fetch(url)).status))
  expect(statuses).toEqual([200, 200])
  const like = makeActivity(fixture.rita, 'Like', post.uri)
  expect(
    (await harness.deliver(fixture.remote, like, { as: fixture.rita, to: `/ap/users/${NUMBER}/inbox` })).status,
  ).toBe(404)
})

test('hostile a status or reply with such an id breaks nothing', async () => {
  const { bob, rita, note, sendActivity, harness } = fixture
  const status = ours(`/ap/users/${bob.id}/statuses/${NUMBER}`)
  const link = ours(`/collections/${NUMBER}`)
  const notes = [
    note(rita, { content: `<p><a href="${link}">${link}</a></p>` }),
    note(rita, { inReplyTo: status }),
    note(rita, { quote: status, quoteUrl: status }),
    note(rita, { context: ours(`/ap/contexts/${NUMBER}`) }),
  ]
  for (const one of notes) expect(await sendActivity(rita, 'Create', one)).toMatch(/^done/)
  const sent = [
    await sendActivity(rita, 'Like', status),
    await sendActivity(rita, 'Announce', status),
    await sendActivity(rita, 'Accept', `${bob.uri}/feature_requests/${NUMBER}`, { result: `${rita.id}/stamps/1` }),
    await sendActivity(rita, 'Accept', `${bob.uri}/quote_requests/${NUMBER}`, { result: `${rita.id}/stamps/1` }),
    await sendActivity(rita, 'Reject', `${bob.uri}#follows/${NUMBER}`),
    await sendActivity(rita, 'Flag', status, { object: [bob.uri, status, `${bob.uri}/collections/${NUMBER}`] }),
    await sendActivity(rita, 'Block', ours(`/ap/users/${NUMBER}`)),
    await sendActivity(rita, 'Follow', ours(`/ap/users/${NUMBER}`)),
  ]
  expect(sent.filter((one) => /gave-up|waiting|5\d\d/.test(one))).toEqual([])
  await harness.waitForIdle()
  expect(await deadLetters()).toEqual([])
  const home = await harness.request(homeTimeline, {}, bob)
  expect(home.meta.status).toBe(200)
  for (const one of notes) expect([one.id, (await fixture.shown(one.id)) !== null]).toEqual([one.id, true])
})
