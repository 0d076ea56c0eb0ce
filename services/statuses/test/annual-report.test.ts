/** S-165: annual reports of accounts, made on request during the campaign. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts, raise, type Stage, statuses } from './cast.js'
import type { Person } from './neighbours/world.js'

let stage: Stage
let ann: Person
let bob: Person
const year = String(new Date().getUTCFullYear())
beforeAll(async () => {
  stage = await raise()
  ann = stage.world.person('ann')
  bob = stage.world.person('bob')
})
afterAll(() => stage.stop())

const call = ((...given) => stage.cluster.call(...given)) as Stage['cluster']['call']
/** Moves the clock of all services to this day of the current year. */
const itIs = (day: string) => {
  const offset = Date.parse(`${year}-${day}T12:00:00Z`) - Date.now()
  for (const { service, ctx } of stage.cluster.host.running) if (service === 'statuses') ctx.clock.moveTo(offset)
}
const state = async (who: Person, of = year) =>
  (await call(statuses.annualReportState, { year: of }, stage.as(who))).state
const generate = async (who: Person, of = year) =>
  Buffer.from((await call(statuses.generateAnnualReport, { year: of }, stage.as(who))) as Uint8Array).toString()
const unread = (who: Person) => call(statuses.listAnnualReports, {}, stage.as(who))

test('S-165 a report cannot be requested before the campaign, about another year, or by an account without statuses', async () => {
  await stage.post(bob, 'early')
  itIs('12-09')
  expect(await state(bob)).toBe('ineligible')
  expect(await generate(bob)).toBe('{}')
  itIs('12-10')
  expect(await state(bob)).toBe('eligible')
  expect(await state(bob, String(Number(year) - 1))).toBe('ineligible')
  expect(await state(bob, 'never')).toBe('ineligible')
  expect(await state(stage.world.person('quiet'))).toBe('ineligible')
  for (const asked of [year, '1', 'x']) {
    await expect(call(statuses.showAnnualReport, { year: asked }, stage.as(bob))).rejects.toMatchObject({ status: 404 })
    await expect(call(statuses.readAnnualReport, { year: asked }, stage.as(bob))).rejects.toMatchObject({ status: 404 })
  }
  expect(await unread(bob)).toEqual({ annual_reports: [], accounts: [], statuses: [] })
})

test('S-165 a report is made once, names the best statuses, and is listed as unread until it is read', async () => {
  itIs('12-15')
  const boosted = await stage.post(ann, 'boosted #Birds #owls')
  const liked = await stage.post(ann, 'liked #birds')
  const answered = await stage.post(ann, 'answered')
  await stage.post(ann, { status: 'a secret #hidden', visibility: 'private' })
  await stage.post(ann, { status: '@bob psst', visibility: 'direct' })
  const gone = await stage.post(ann, 'gone #birds')
  await call(statuses.deleteStatus, { id: gone.id }, stage.as(ann))
  await call(statuses.addReblog, { id: boosted.id }, stage.as(bob))
  await call(statuses.addFavourite, { id: boosted.id }, stage.as(bob))
  await call(statuses.addFavourite, { id: liked.id }, stage.as(bob))
  await stage.post(bob, { status: '@ann yes', in_reply_to_id: answered.id })
  stage.world.follow(bob, ann)
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
  const shown = await call(statuses.showAnnualReport, { year }, stage.as(ann))
  expect(shown.annual_reports).toEqual([report])
  expect(shown.accounts.map((one) => one.id)).toEqual([ann.id])
  expect(shown.statuses.map((one) => one.id).toSorted()).toEqual([boosted.id, liked.id, answered.id].toSorted())
  expect(await unread(ann)).toEqual(shown)
  expect(await unread(bob)).toMatchObject({ annual_reports: [] })
  expect(await call(statuses.readAnnualReport, { year }, stage.as(ann))).toEqual({})
  expect(await unread(ann)).toMatchObject({ annual_reports: [] })
  itIs('01-20')
  expect(await state(ann)).toBe('available')
  expect((await call(statuses.showAnnualReport, { year }, stage.as(ann))).annual_reports).toEqual([report])
})

test('S-165 a report that was requested but never finished can be requested again', async () => {
  itIs('12-20')
  const eve = stage.world.person('eve')
  await stage.post(eve, 'hello')
  const db = stage.cluster.db('statuses')
  await db.run(sql`insert into annual_reports (id, account_id, year, requested_at)
    values (1, ${eve.id}, ${Number(year)}, ${new Date(Date.parse(`${year}-12-20T10:00:00Z`))})`)
  expect(await state(eve)).toBe('eligible')
  expect(await generate(eve)).toBe('')
  await expect.poll(() => state(eve)).toBe('available')
})

test('S-165 removing an account deletes its reports', async () => {
  const db = stage.cluster.db('statuses')
  const kept = () =>
    db.row<{ n: number }>(sql`select count(*)::int as n from annual_reports where account_id = ${ann.id}`)
  expect(await kept()).toEqual({ n: 1 })
  await stage.happen(accounts.accountRemoved, { id: ann.id, uri: ann.uri, local: true })
  await expect.poll(kept).toEqual({ n: 0 })
})
