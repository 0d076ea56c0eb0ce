/** S-165: annual reports of accounts, made on request during the campaign. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
const year = String(new Date().getUTCFullYear())
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
/** Moves the clock of all services to this day of the current year. */
const itIs = (day: string) => {
  const offset = Date.parse(`${year}-${day}T12:00:00Z`) - Date.now()
  for (const { service, ctx } of harness.cluster.host.running) if (service === 'statuses') ctx.clock.moveTo(offset)
}
const state = async (who: FakeAccount, of = year) =>
  (await call(statuses.annualReportState, { year: of }, harness.as(who))).state
const generate = async (who: FakeAccount, of = year) =>
  Buffer.from((await call(statuses.generateAnnualReport, { year: of }, harness.as(who))) as Uint8Array).toString()
const unread = (who: FakeAccount) => call(statuses.listAnnualReports, {}, harness.as(who))

test('S-165 a report cannot be requested before the campaign, about another year, or by an account without statuses', async () => {
  await harness.post(bob, 'early')
  itIs('12-09')
  expect(await state(bob)).toBe('ineligible')
  expect(await generate(bob)).toBe('{}')
  itIs('12-10')
  expect(await state(bob)).toBe('eligible')
  expect(await state(bob, String(Number(year) - 1))).toBe('ineligible')
  expect(await state(bob, 'never')).toBe('ineligible')
  expect(await state(harness.fakes.fakeAccount('quiet'))).toBe('ineligible')
  for (const asked of [year, '1', 'x']) {
    await expect(call(statuses.showAnnualReport, { year: asked }, harness.as(bob))).rejects.toMatchObject({
      status: 404,
    })
    await expect(call(statuses.readAnnualReport, { year: asked }, harness.as(bob))).rejects.toMatchObject({
      status: 404,
    })
  }
  expect(await unread(bob)).toEqual({ annual_reports: [], accounts: [], statuses: [] })
})

test('S-165 a report is made once, names the best statuses, and is listed as unread until it is read', async () => {
  itIs('12-15')
  const boosted = await harness.post(ann, 'boosted #Birds #owls')
  const liked = await harness.post(ann, 'liked #birds')
  const answered = await harness.post(ann, 'answered')
  await harness.post(ann, { status: 'a secret #hidden', visibility: 'private' })
  await harness.post(ann, { status: '@bob psst', visibility: 'direct' })
  const gone = await harness.post(ann, 'gone #birds')
  await call(statuses.deleteStatus, { id: gone.id }, harness.as(ann))
  await call(statuses.addReblog, { id: boosted.id }, harness.as(bob))
  await call(statuses.addFavourite, { id: boosted.id }, harness.as(bob))
  await call(statuses.addFavourite, { id: liked.id }, harness.as(bob))
  await harness.post(bob, { status: '@ann yes', in_reply_to_id: answered.id })
  harness.fakes.follow(bob, ann)
  const answers = await Promise.all([generate(ann), generate(ann)])
  // The second answer is `{}` if the report is finished before that request is handled.
  expect(answers.toSorted()).toEqual(['', expect.stringMatching(/^(\{\})?$/)])
  await expect.poll(() => state(ann)).toBe('available')
  expect(await generate(ann)).toBe('{}')
  const report = {
    year: Number(year),
    account_id: ann.id,
    schema_version: 2,
    share_url: null,
    data: {
      archetype: 'lurker',
      time_series: [{ month: 12, statuses: 4, followers: 1 }],
      top_hashtags: [
        { name: 'Birds', count: 2 },
        { name: 'owls', count: 1 },
      ],
      top_statuses: { by_reblogs: boosted.id, by_favourites: liked.id, by_replies: answered.id },
    },
  }
  const shown = await call(statuses.showAnnualReport, { year }, harness.as(ann))
  expect(shown.annual_reports).toEqual([report])
  expect(shown.accounts.map((one) => one.id)).toEqual([ann.id])
  expect(shown.statuses.map((one) => one.id).toSorted()).toEqual([boosted.id, liked.id, answered.id].toSorted())
  expect(await unread(ann)).toEqual(shown)
  expect(await unread(bob)).toMatchObject({ annual_reports: [] })
  expect(await call(statuses.readAnnualReport, { year }, harness.as(ann))).toEqual({})
  expect(await unread(ann)).toMatchObject({ annual_reports: [] })
  itIs('01-20')
  expect(await state(ann)).toBe('available')
  expect((await call(statuses.showAnnualReport, { year }, harness.as(ann))).annual_reports).toEqual([report])
})

test('S-165 a report that was requested but never finished can be requested again', async () => {
  itIs('12-20')
  const eve = harness.fakes.fakeAccount('eve')
  await harness.post(eve, 'hello')
  const db = harness.cluster.db('statuses')
  await db.run(sql`insert into annual_reports (id, account_id, year, requested_at)
    values (1, ${eve.id}, ${Number(year)}, ${new Date(Date.parse(`${year}-12-20T10:00:00Z`))})`)
  expect(await state(eve)).toBe('eligible')
  const asked = await harness.cluster.request(statuses.generateAnnualReport, { year }, harness.as(eve))
  expect([asked.meta.status, asked.bytes.length]).toEqual([202, 0])
  await expect.poll(() => state(eve)).toBe('available')
})

test('S-165 removing an account deletes its reports', async () => {
  const db = harness.cluster.db('statuses')
  const kept = () =>
    db.row<{ n: number }>(sql`select count(*)::int as n from annual_reports where account_id = ${ann.id}`)
  expect(await kept()).toEqual({ n: 1 })
  await harness.happen(accounts.accountRemoved, { id: ann.id, uri: ann.uri, local: true })
  await expect.poll(kept).toEqual({ n: 0 })
})
