/** Range of ids of the notifications on a page of groups. */
import { expect, test } from 'vitest'
import { rangeOf } from './page-range.rules.js'

test.each([
  ['a full page ends at its last group', ['9', '5'], { limit: 2 }, { from: '5', to: '9', below: null }],
  ['a short one reaches down to the beginning', ['9', '5'], { limit: 3 }, { from: null, to: '9', below: null }],
  ['or to what the client has', ['9', '5'], { limit: 3, since_id: '2' }, { from: '3', to: '9', below: null }],
  ['a short one paging up is open above', ['9', '5'], { limit: 3, min_id: '4' }, { from: '5', to: null, below: null }],
  ['or ends below max_id', ['9', '5'], { limit: 3, min_id: '4', max_id: '12' }, { from: '5', to: null, below: '12' }],
  ['an empty page has no ends', [], { limit: 3 }, { from: null, to: null, below: null }],
])('%s', (_what, ids, page, range) => {
  expect(rangeOf(ids, page)).toEqual(range)
})
