/** What feeds ask: only pairs that keep apart, who follows whom a status answers, and chosen languages. */
import {
  blockCreate,
  chosenLanguages,
  domainBlockCreate,
  feedStandings,
  followCreate,
  muteCreate,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cast, startAccounts } from './cast.js'

let cast: Cast
let people: Viewer[]
beforeAll(async () => {
  cast = await startAccounts()
  people = [await cast.person('ann'), await cast.person('bob'), await cast.person('cat'), await cast.person('dan')]
})
afterAll(() => cast.stop())

test('only those who keep apart are named, each with the reasons', async () => {
  const [ann, bob, cat, dan] = people as [Viewer, Viewer, Viewer, Viewer]
  await cast.call(blockCreate, { id: dan.id }, ann)
  await cast.call(muteCreate, { id: dan.id }, bob)
  await cast.call(followCreate, { id: cat.id }, bob)
  const viewers = [ann.id, bob.id, cat.id]
  const none = { blocking: false, muting: false, blocked_by: false, domain_blocking: false }
  expect(await cast.call(feedStandings, { viewers, named: [dan.id, cat.id], answers: cat.id })).toEqual({
    apart: { [ann.id]: [{ id: dan.id, ...none, blocking: true }], [bob.id]: [{ id: dan.id, ...none, muting: true }] },
    following: [bob.id],
  })
  expect((await cast.call(feedStandings, { viewers: [dan.id], named: [ann.id], answers: null })).apart).toEqual({
    [dan.id]: [{ id: ann.id, ...none, blocked_by: true }],
  })
  await cast.call(domainBlockCreate, { domain: 'far.example' }, cat)
  await cast.db('accounts').run(sql`update accounts set domain = 'far.example' where id = ${dan.id}`)
  expect((await cast.call(feedStandings, { viewers: [cat.id], named: [dan.id], answers: null })).apart).toEqual({
    [cat.id]: [{ id: dan.id, ...none, domain_blocking: true }],
  })
})

test('people who read every language are left out', async () => {
  const [ann, bob] = people as [Viewer, Viewer]
  await cast
    .db('accounts')
    .run(sql`update preferences set chosen_languages = ${['de', 'en']} where account_id = ${ann.id}`)
  expect(await cast.call(chosenLanguages, { ids: [ann.id, bob.id] })).toEqual({ chosen: { [ann.id]: ['de', 'en'] } })
})
