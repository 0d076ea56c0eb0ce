/** Which statuses reach home feeds by a followed hashtag, and whose. */
import { expect, test } from 'vitest'
import { isSentByTag, receivesByTag } from './tag.rules.js'

const status = { visibility: 0, reblog_of_id: null, tags: ['cats'], silenced: false }

test.each([
  [{}, true],
  [{ visibility: 1 }, false],
  [{ visibility: 2 }, false],
  [{ reblog_of_id: '7' }, false],
  [{ tags: [] }, false],
  [{ silenced: true }, false],
  [{ silenced: null }, false],
])('S-157 a status with %j travels by its tags: %s', (change, travels) => {
  expect(isSentByTag({ ...status, ...change })).toBe(travels)
})

const near = { blocking: false, muting: false, blocked_by: false, domain_blocking: false }
const said = { authorId: 'author', mentions: ['friend', 'me'] }
test.each([
  ['nobody', [], true],
  ['a blocked author', [{ id: 'author', ...near, blocking: true }], false],
  ['a muted author', [{ id: 'author', ...near, muting: true }], false],
  ['an author who blocks', [{ id: 'author', ...near, blocked_by: true }], false],
  ['an author of a blocked domain', [{ id: 'author', ...near, domain_blocking: true }], false],
  ['a blocked mention', [{ id: 'friend', ...near, blocking: true }], false],
  ['a mention who blocks', [{ id: 'friend', ...near, blocked_by: true }], true],
  ['somebody else', [{ id: 'other', ...near, blocking: true }], true],
  ['oneself', [{ id: 'me', ...near, muting: true }], true],
])('S-157 keeping apart from %s', (_who, blockStates, comes) => {
  expect(receivesByTag(said, { id: 'me', blockStates })).toBe(comes)
})

test('a status does not reach its own author by a hashtag', () => {
  expect(receivesByTag({ authorId: 'me', mentions: [] }, { id: 'me', blockStates: [] })).toBe(false)
})
